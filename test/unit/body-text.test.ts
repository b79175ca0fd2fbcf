import { describe, expect, test } from 'vitest';
import { cleanText, firstSentences, htmlToText, renderBody } from '../../src/render/body.ts';

describe('plain text of HTML', () => {
  test.each<[name: string, html: string, text: string]>([
    ['blocks', '<h2>Ebb</h2><p>a <b>b</b>\n c</p><div>d<p>e</p>f</div>', 'Ebb\n\na b c\n\nd\n\ne\n\nf'],
    ['breaks', '<p>one<br>two<br>\nthree</p>', 'one\ntwo\nthree'],
    ['a list', '<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul>', '- a\n- b\n  - c'],
    ['a numbered list', '<ol start="9"><li>a</li><li>b<br>c</li></ol>', '9. a\n10. b\n    c'],
    ['a list of paragraphs', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', '- a\n\n  b\n\n- c'],
    ['a quotation', '<blockquote><p>a<br>b</p><p>c</p></blockquote>', '> a\n> b\n>\n> c'],
    ['code', '<p>a</p><pre><code>if (x) {\n\n  y &lt; 1\n}\n</code></pre>', 'a\n\nif (x) {\n\n  y < 1\n}'],
    [
      'a table',
      '<table><caption>Tides</caption><tr><th>Port</th><th>m</th></tr><tr><td>Ebb</td><td><p>2</p></td></tr></table>',
      'Tides\nPort | m\nEbb | 2',
    ],
    ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n* * *\n\nb'],
    [
      'a figure',
      '<figure><img src="https://a.example/b.png" alt="Boats"><figcaption>Noon</figcaption></figure>',
      'Noon',
    ],
    ['links', '<p><a href="https://a.example/">a</a></p>', 'a'],
    ['references', '&amp;amp; &lt;b&gt;', '&amp; <b>'],
    ['no text', '<p> </p><hr>', '* * *'],
  ])('%s', (_name, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test.each<[name: string, html: string, text: string]>([
    ['a label', '<a href="https://a.example/b?c&amp;d">the b</a>, e', 'the b (https://a.example/b?c&d), e'],
    ['the address as its own label', '<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
    ['a mail address', '<a href="mailto:desk@news.example">desk@news.example</a>', 'desk@news.example'],
    ['a mail address with a label', '<a href="mailto:desk@news.example">the desk</a>', 'the desk (desk@news.example)'],
    ['no label', '<a href="https://a.example/"></a>', 'https://a.example/'],
    [
      'a linked image',
      '<a href="https://a.example/"><img src="https://a.example/b" alt="Boats"></a>',
      '[Boats] (https://a.example/)',
    ],
    ['images', '<img src="https://a.example/b" alt="Boats"><img src="https://a.example/b" alt="">', '[Boats]'],
    ['an anchor', '<a id="x">a</a>', 'a'],
    [
      'a place in the text',
      '<a href="https://n.example/p#x">below</a><h2 id="x">X</h2>',
      'below (https://n.example/p#x)\n\nX',
    ],
    ['the same place elsewhere', '<a href="https://n.example/p#x">1</a>', '1 (https://n.example/p#x)'],
    ['a film', '<video controls><a href="https://a.example/b.mp4">Tide</a></video>', 'Tide (https://a.example/b.mp4)'],
  ])('with links: %s', (_name, html, text) => {
    expect(htmlToText(html, { links: true })).toBe(text);
  });

  test.each<[name: string, source: { markdown: string } | { html: string }, text: string]>([
    ['GFM', { markdown: 'Ebb[^a]. Flow[^a].\n\n[^a]: Twice.' }, 'Ebb[1]. Flow[1].\n\n* * *\n\n1. Twice.'],
    ['a label that is not ASCII', { markdown: 'Ebb[^é].\n\n[^é]: Twice.' }, 'Ebb[1].\n\n* * *\n\n1. Twice.'],
    [
      'raised numbers',
      { html: 'Ebb<sup id="r1"><a href="#n1">1</a></sup><ol><li id="n1">Twice <a href="#r1">back</a></li></ol>' },
      'Ebb[1]\n\n1. Twice',
    ],
    [
      'word processors',
      { html: 'Ebb<a href="#n1" name="r1">[1]</a><p><a href="#r1" name="n1">[1]</a> Twice</p>' },
      'Ebb[1]\n\n[1] Twice',
    ],
    [
      'arrows',
      { html: 'Ebb<a href="#n1" id="r1"><sup>a</sup></a><p id="n1">Twice <a href="#r1">^</a></p>' },
      'Ebba (https://n.example/p#n1)\n\nTwice',
    ],
  ])('footnotes by %s', (_name, source, text) => {
    expect(htmlToText(renderBody(source, 'https://n.example/p').html, { links: true })).toBe(text);
  });
});

describe('first sentences', () => {
  const long = 'The harbour master reads the gauge at noon and at midnight, as his mother did before him.';

  test.each<[name: string, text: string, max: number, summary: string]>([
    ['all that fit', 'One tide. Two tides. Three tides.', 22, 'One tide. Two tides.'],
    ['exactly as many', 'One tide. Two tides.', 20, 'One tide. Two tides.'],
    ['words, when no sentence fits', long, 40, 'The harbour master reads the gauge at…'],
    ['no comma before the ellipsis', 'Ebb, flow and nothing else', 6, 'Ebb…'],
    ['a word that does not fit', 'Donaudampfschifffahrt', 6, 'Donau…'],
    ['a family that does not fit', 'a👨‍👩‍👧', 6, 'a…'],
    ['not even a letter', '👨‍👩‍👧', 4, ''],
    ['paragraphs', 'One\ntide.\n\nTwo tides.', 99, 'One tide. Two tides.'],
    ['a heading in front', 'The gauge\n\nOne tide.\n\nA list', 99, 'One tide. A list'],
    ['headings alone', 'The gauge\n\nThe tide', 99, 'The gauge The tide'],
    ['abbreviations', 'It was Mr. Ro of the U.S. Navy. He left.', 33, 'It was Mr. Ro of the U.S. Navy.'],
    ['initials', 'J. Ro came. He left.', 12, 'J. Ro came.'],
    ['footnotes', 'One tide.[1] Two tides.[12]\n\n* * *\n\n1. A note.', 99, 'One tide. Two tides.'],
    ['quotations', '“One tide.” Two tides.', 12, '“One tide.”'],
    ['nothing', ' \n\n ', 99, ''],
  ])('%s', (_name, text, max, summary) => {
    expect(firstSentences(text, 'en', max)).toBe(summary);
  });

  test.each<[language: string, text: string, max: number, summary: string]>([
    ['ja', '潮が満ちる。船が出る。', 8, '潮が満ちる。'],
    ['ar', 'هل وصل المد؟ نعم وصل.', 14, 'هل وصل المد؟'],
    ['th', 'น้ำขึ้นน้ำลง', 9, 'น้ำขึ้น…'],
    ['no language at all', 'One tide. Two tides.', 12, 'One tide.'],
  ])('in %s', (language, text, max, summary) => {
    expect(firstSentences(text, language, max)).toBe(summary);
  });

  test('280 characters unless told', () => {
    const summary = firstSentences(`${'Ebb and flow. '.repeat(30)}`, 'en');
    expect(summary).toBe('Ebb and flow. '.repeat(20).trim());
  });
});

test.each<[text: string, clean: string]>([
  ['  Ebb\r\n\tand  flow ', 'Ebb and flow'],
  ['Ebb\u2028and\u2029flow\u0085on', 'Ebb and flow on'],
  ['\uFEFFEbb\u0000\u000C\u007F\u009F\uFFFE', 'Ebb'],
  ['a\uD83Db\uDE00c\uDE00\uD83D', 'abc'],
  ['😀 👨‍👩‍👧 \u{10FFFF}', '😀 👨‍👩‍👧 \u{10FFFF}'],
  ['12\u00A0m « Ro »', '12\u00A0m « Ro »'],
  ['a &amp; <b>', 'a &amp; <b>'],
  ['\u0007 \n', ''],
])('clean text: %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});
