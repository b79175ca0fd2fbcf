import { describe, expect, test } from 'vitest';
import { type BodySource, renderBody } from '../../src/render/body.ts';

const ARTICLE = 'https://news.example/p/one';

function rendered(source: BodySource): string {
  return renderBody(source, ARTICLE).html;
}

describe('Markdown', () => {
  test.each<[name: string, markdown: string, html: string]>([
    [
      'inline markup',
      'A *calm* **sea** and ~~no~~ `wind`.',
      '<p>A <em>calm</em> <strong>sea</strong> and <del>no</del> <code>wind</code>.</p>',
    ],
    ['a hard break', 'one  \ntwo', '<p>one<br>\ntwo</p>'],
    ['raw HTML, a break never doubled', 'one<br>two <b>three</b>', '<p>one<br>two <b>three</b></p>'],
    ['markup inside raw HTML', '<div>\n\n*tide*\n\n</div>', '<div>\n<p><em>tide</em></p>\n</div>'],
    [
      'a bare address',
      'See https://tide.example/a?b=1&c=2.',
      '<p>See <a href="https://tide.example/a?b=1&amp;c=2">https://tide.example/a?b=1&amp;c=2</a>.</p>',
    ],
    ['a list that starts elsewhere', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['a byte order mark and CRLF', '\uFEFFone\r\ntwo\r\n\r\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
    [
      'tasks',
      '- [x] moor\n- [ ] sail',
      '<ul class="contains-task-list">\n<li class="task-list-item">☑ moor</li>\n<li class="task-list-item">☐ sail</li>\n</ul>',
    ],
    [
      'tasks with paragraphs',
      '- [x] moor\n\n- [ ] sail',
      '<ul class="contains-task-list">\n<li class="task-list-item">\n<p>☑ moor</p>\n</li>\n<li class="task-list-item">\n<p>☐ sail</p>\n</li>\n</ul>',
    ],
    [
      'a table with alignment',
      '| a | b |\n| :- | -: |\n| 1 | 2 |',
      '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a footnote',
      'Ebb[^a].\n\n[^a]: Twice a *day*.',
      '<p>Ebb<sup><a href="https://news.example/p/one#fn-a" id="fnref-a">1</a></sup>.</p>\n<section class="footnotes"><hr>\n<ol>\n<li id="fn-a">\n<p>Twice a <em>day</em>. <a href="https://news.example/p/one#fnref-a" class="data-footnote-backref">↩\uFE0E</a></p>\n</li>\n</ol>\n</section>',
    ],
    ['a script between paragraphs', 'a\n\n<script>\nalert(1)\n</script>\n\nb', '<p>a</p>\n\n<p>b</p>'],
    ['no text', '', ''],
  ])('%s', (_name, markdown, html) => {
    expect(rendered({ markdown })).toBe(html);
  });

  test('a footnote used twice leads back to both places', () => {
    const html = rendered({ markdown: 'One[^n], two[^n].\n\n[^n]: Note.' });
    for (const id of ['fnref-n', 'fnref-n-2', 'fn-n']) {
      expect(html.split(` id="${id}"`)).toHaveLength(2);
      expect(html).toContain(`href="${ARTICLE}#${id}"`);
    }
  });
});

describe('HTML', () => {
  test.each<[name: string, html: string, expected: string]>([
    ['a break', 'one<br>two<br/>three', 'one<br>two<br>three'],
    [
      'hand-written footnotes',
      '<p>Ebb<sup><a href="#fn1" id="r1">1</a></sup></p><ol><li id="fn1">Twice a day <a href="#r1">back</a></li></ol>',
      '<p>Ebb<sup><a href="https://news.example/p/one#fn1" id="r1">1</a></sup></p><ol><li id="fn1">Twice a day <a href="https://news.example/p/one#r1">back</a></li></ol>',
    ],
    ['anchors named the old way', '<a name="fn1">1.</a> Note', '<a id="fn1">1.</a> Note'],
    ['an id used twice', '<p id="a">x</p><p id="a">y</p>', '<p id="a">x</p><p>y</p>'],
    ['an id no link can name', '<p id="a b">x</p><p id="">y</p>', '<p>x</p><p>y</p>'],
    ['a body with its own title', '<h1>A</h1><h2>B</h2><h6>C</h6>', '<h2>A</h2><h3>B</h3><h6>C</h6>'],
    ['a body without one', '<h2>B</h2><h3>C</h3>', '<h2>B</h2><h3>C</h3>'],
    [
      'a whole page',
      '<!doctype html><html><head><title>T</title><meta charset="utf-8"><style>p{}</style></head><body><p>x</p></body></html>',
      '<p>x</p>',
    ],
    [
      'obsolete elements',
      '<center><strike>a</strike><tt>b</tt><font color="red">c</font></center>',
      '<div><s>a</s><code>b</code>c</div>',
    ],
    [
      'elements and attributes nobody knows',
      '<x-card onclick="x()" style="color:red"><p class="lead" data-x="1" style="x">a</p></x-card>',
      '<p>a</p>',
    ],
    ['an element named like an object member', '<constructor>a</constructor><toString>b</toString>', 'ab'],
    ['language and direction', '<p lang="ar" dir="rtl" title="t">a</p>', '<p lang="ar" dir="rtl" title="t">a</p>'],
    ['unclosed and crossed elements', '<p>a<b>b<p>c</b>d', '<p>a<b>b</b></p><p><b>c</b>d</p>'],
    ['table parts without a table', '<td>a</td><tr><td>b', 'ab'],
    [
      'table attributes',
      '<table border="1" width="100%" style="x"><caption>c</caption><tr><th scope="col" colspan="2" align="center">a</th></tr></table>',
      '<table border="1" width="100%"><caption>c</caption><tbody><tr><th scope="col" colspan="2" align="center">a</th></tr></tbody></table>',
    ],
    [
      'hidden elements',
      '<p hidden>a</p><div style="color:red; Display : none">b</div><p style="display:block">c</p>',
      '<p>c</p>',
    ],
    [
      'an icon link beside a heading',
      '<h2 id="x"><a href="#x"><svg><path d=""/></svg></a>Tide</h2>',
      '<h2 id="x">Tide</h2>',
    ],
    ['a link to nowhere', '<p><a>a</a> <a href="javascript:x()">b</a></p>', '<p>a b</p>'],
    ['comments', 'a<!-- b -->c', 'ac'],
  ])('%s', (_name, html, expected) => {
    expect(rendered({ html })).toBe(expected);
  });
});

describe('code stays as it is', () => {
  const sample = '<b onclick="x()"> & &amp; ]]> {{x}} {{{y}}} https://tide.example/ ../z \'q\' "q"';

  test.each<[name: string, source: BodySource]>([
    ['fenced', { markdown: `\`\`\`html\n${sample}\n\`\`\`` }],
    ['indented', { markdown: `    ${sample}` }],
    ['a span', { markdown: `\`${sample}\`` }],
    ['HTML', { html: `<pre><code>${sample.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>` }],
    ['obsolete HTML', { html: `<xmp>${sample}</xmp>` }],
  ])('%s', (_name, source) => {
    const code = /<(?:code|pre)[^>]*>([^<]*)</.exec(rendered(source).replace('<pre><code', '<code'))?.[1] ?? '';
    expect(code.trimEnd().replaceAll('&lt;', '<').replaceAll('&amp;', '&')).toBe(sample);
  });

  test.each<[name: string, html: string, expected: string]>([
    ['the first line break, which a parser drops', '<pre>\n\nx</pre>', '<pre>\n\nx</pre>'],
    ['indentation and tabs', '<pre>  a\n\tb  \n</pre>', '<pre>  a\n\tb  \n</pre>'],
    [
      'its language',
      '<pre><code class="language-c++ wide">x</code></pre>',
      '<pre><code class="language-c++">x</code></pre>',
    ],
  ])('%s', (_name, html, expected) => {
    expect(rendered({ html })).toBe(expected);
  });
});

describe('characters', () => {
  test.each<[name: string, source: BodySource, html: string]>([
    [
      'controls in HTML',
      { html: '<p title="a\u0008b">up\u000Cstream \u0010x\uFFFE</p>' },
      '<p title="ab">upstream x</p>',
    ],
    ['controls in Markdown', { markdown: 'up\u000Cstream\u0000 `a\u0001b`' }, '<p>upstream <code>ab</code></p>'],
    ['controls in text', { text: 'up\u000Cstream\uFFFF' }, '<p>upstream</p>'],
    ['references to them', { html: '<p title="a&#1;b">a&#12;b&#xB;c&#xFFFE;d</p>' }, '<p title="ab">abcd</p>'],
    [
      'references to no character',
      { html: '<p title="a&#0;b">a&#x0000;b&#xD83D;c&#57343d&#012;e&#38;#0;</p>' },
      '<p title="ab">abcde&amp;#0;</p>',
    ],
    ['half a surrogate pair', { html: '<p title="\uD83D">a\uD83Db\uDE00c</p>' }, '<p title="">abc</p>'],
    ['a whole pair', { markdown: 'a😀b' }, '<p>a😀b</p>'],
    ['a carriage return by reference', { html: '<pre>a&#13;&#10;b&#13;c</pre>' }, '<pre>a\nb\nc</pre>'],
    ['a letter broken up to pass a filter', { html: '<scr\u0000ipt>alert(1)</scr\u0000ipt>x' }, 'x'],
  ])('%s', (_name, source, html) => {
    expect(rendered(source)).toBe(html);
  });
});

describe('plain text', () => {
  test.each<[name: string, text: string, html: string]>([
    ['paragraphs and breaks', 'one\ntwo\n\n \nthree\n', '<p>one<br>\ntwo</p>\n<p>three</p>'],
    ['markup', '<b>a</b> & *c*', '<p>&lt;b>a&lt;/b> &amp; *c*</p>'],
    ['CRLF and a byte order mark', '\uFEFFone\r\n\r\ntwo', '<p>one</p>\n<p>two</p>'],
    [
      'an address',
      'See https://tide.example/a.',
      '<p>See <a href="https://tide.example/a">https://tide.example/a</a>.</p>',
    ],
    [
      'an address in brackets',
      '(HTTP://tide.example/a_(b)), x',
      '<p>(<a href="http://tide.example/a_(b)">HTTP://tide.example/a_(b)</a>), x</p>',
    ],
    ['what is no address', 'http:// javascript:x ftp://a.example', '<p>http:// javascript:x ftp://a.example</p>'],
    ['nothing', ' \n \n', ''],
  ])('%s', (_name, text, html) => {
    expect(rendered({ text })).toBe(html);
  });
});
