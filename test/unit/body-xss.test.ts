import { describe, expect, test } from 'vitest';
import { renderBody } from '../../src/render/body.ts';

const ARTICLE = 'https://news.example/p/one';

/** Input to the exact output: what is left of an attack is as much a decision as what is gone. */
const ATTACKS: [name: string, html: string, expected: string][] = [
  ['a script', 'a<script>steal()</script>b', 'ab'],
  ['a script in capitals, never closed', 'a<SCRIPT SRC=//bad.example/x.js>b', 'a'],
  ['a script inside a script', '<scr<script>ipt>steal()</script>a', 'ipt>steal()a'],
  ['a script in SVG', '<svg><script>steal()</script><a xlink:href="javascript:steal()">b</a></svg>a', 'a'],
  ['an event handler', '<p onclick="steal()" ONMOUSEOVER=steal()>a</p>', '<p>a</p>'],
  [
    'an event handler behind a slash',
    '<img/src="a.png"/onerror=steal()>',
    '<img src="https://news.example/p/a.png" alt="">',
  ],
  ['an event handler in a broken tag', '<img """><b onclick=steal()>a</b>">', '<b>a</b>">'],
  [
    'an attribute that tries to leave its quotes',
    `<img src=a.png title='"><script>steal()</script>'>`,
    '<img src="https://news.example/p/a.png" title="&quot;><script>steal()</script>" alt="">'.replace(
      '<script',
      '<script',
    ),
  ],
  ['a javascript link', '<a href="javascript:steal()">a</a>', 'a'],
  ['the same in mixed case behind spaces', '<a href=" \t JaVaScRiPt:steal()">a</a>', 'a'],
  ['the same broken by a tab', '<a href="java\tscript:steal()">a</a>', 'a'],
  ['the same in character references', '<a href="&#106;ava&Tab;script&colon;steal&lpar;1&rpar;">a</a>', 'a'],
  ['the same behind a control character', '<a href="&#1;javascript:steal()">a</a>', 'a'],
  ['a vbscript link', '<a href="vbscript:steal">a</a>', 'a'],
  ['a data page', '<a href="data:text/html,<script>steal()</script>">a</a>', 'a'],
  ['a blob and a file', '<a href="blob:https://news.example/1">a</a><img src="file:///etc/passwd">', 'a'],
  ['a javascript image', '<img src="javascript:steal()">', ''],
  ['a data image', '<img src="data:image/svg+xml,<svg onload=steal()>" alt="Chart">', 'Chart'],
  [
    'style sheets',
    '<style>p{background:url(//bad.example)}</style><p style="background:url(//bad.example)">a</p>',
    '<p>a</p>',
  ],
  [
    'a style sheet link, a refresh, a base',
    '<link rel=stylesheet href=//bad.example><meta http-equiv=refresh content="0;//bad.example"><base href="//bad.example/">a <a href="b">b</a>',
    'a <a href="https://news.example/p/b">b</a>',
  ],
  ['a frame that runs a script', '<iframe src="javascript:steal()" srcdoc="<script>steal()</script>"></iframe>a', 'a'],
  [
    'a form that posts elsewhere',
    '<form action="//bad.example"><label>Password <input name=p></label><button formaction="javascript:steal()">Go</button></form>a',
    'a',
  ],
  [
    'controls without a form',
    '<select><option>x</select><textarea><b>y</b></textarea><button>z</button><input value=w>a',
    'a',
  ],
  ['an object and its parameters', '<object data="javascript:steal()"><param name=a value=b>text</object>a', 'a'],
  ['a template', '<template><img src=x onerror=steal()></template>a', 'a'],
  [
    'MathML that leaves itself',
    '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=steal()>">',
    '',
  ],
  [
    'a comment that ends early',
    '<!--><img src=x onerror=steal()>-->',
    '<img src="https://news.example/p/x" alt="">-->',
  ],
  ['a conditional comment', '<!--[if gte IE 4]><script>steal()</script><![endif]-->a', 'a'],
  [
    'a noscript that hides a tag',
    '<noscript><p title="</noscript><img src=x onerror=steal()>"></noscript>a',
    '<img src="https://news.example/p/x" alt="">">a',
  ],
  ['a noscript that swallows the rest', '<noscript><p>Allow scripts</noscript>a', 'a'],
  [
    'a title that hides a tag',
    '<title><a href="</title><img src=x onerror=steal()>">a',
    '<img src="https://news.example/p/x" alt="">">a',
  ],
  [
    'names that hide document members',
    '<img name="getElementById" src="a.png"><a name="cookie" href="b">b</a>',
    '<img src="https://news.example/p/a.png" alt=""><a href="https://news.example/p/b" id="cookie">b</a>',
  ],
  ['an attribute of the prototype', '<p __proto__="x" constructor="y">a</p>', '<p>a</p>'],
  ['markup in references', '&lt;script&gt;steal()&lt;/script&gt;', '&lt;script>steal()&lt;/script>'],
];

describe('HTML attacks', () => {
  test.each(ATTACKS)('%s', (_name, html, expected) => {
    expect(renderBody({ html }, ARTICLE).html).toBe(expected);
  });
});

describe('Markdown attacks', () => {
  test.each<[name: string, markdown: string, expected: string]>([
    ['a javascript link', '[a](javascript:steal())', '<p>a</p>'],
    [
      'a javascript reference',
      '[a]\n\n[a]: <java&#x0A;script:steal()>',
      '<p><a href="https://news.example/p/java%0Ascript:steal()">a</a></p>',
    ],
    ['a javascript autolink', '<javascript:steal()>', '<p>javascript:steal()</p>'],
    ['a javascript image', '![a](javascript:steal())', '<p>a</p>'],
    [
      'a title that leaves its quotes',
      '[a](b "\\"onclick=steal() x=\\"")',
      '<p><a href="https://news.example/p/b" title="&quot;onclick=steal() x=&quot;">a</a></p>',
    ],
    [
      'raw HTML across inline markup',
      '*a <img src=x onerror=steal()>*',
      '<p><em>a <img src="https://news.example/p/x" alt=""></em></p>',
    ],
    ['a language that leaves its class', '```js"onclick="steal()\na\n```', '<pre><code>a\n</code></pre>'],
  ])('%s', (_name, markdown, expected) => {
    expect(renderBody({ markdown }, ARTICLE).html).toBe(expected);
  });
});
