import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkValues } from '../../src/build/template-values.ts';
import { generate } from '../../src/build/templates.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'templates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A whole template whose column holds `content`, beginning on line 4. */
function mail(content: string): string {
  return `<mjml><mj-head><mj-title>T</mj-title></mj-head><mj-body>
<mj-section>
<mj-column>
${content}
</mj-column></mj-section></mj-body></mjml>`;
}

async function codeOf(content: string): Promise<string> {
  write({ 'letter.mjml': mail(content) });
  return generate(folder);
}

const text = (html: string) => `<mj-text>${html}</mj-text>`;

describe('a mistake in a template names file, line and what is allowed', () => {
  test.each([
    [
      'an unknown attribute',
      '<mj-text colr="#000000">x</mj-text>',
      4,
      '<mj-text> Attribute colr is illegal; allowed are align, background-color, color, ',
    ],
    ['a bad colour', '\n<mj-text color="reddish">x</mj-text>', 5, 'Attribute color has invalid value: reddish'],
    ['a bad alignment', '<mj-text align="middle">x</mj-text>', 4, 'only accepts left, right, center, justify'],
    ['an unknown element', '<mj-txt>x</mj-txt>', 4, "Element mj-txt doesn't exist or is not registered; allowed are "],
    [
      'an element in the wrong place',
      '<mj-column></mj-column>',
      4,
      'mj-column cannot be used inside mj-column, only inside: ',
    ],
    ['a block never closed', text('{{#if a}}x'), 5, 'broken tag'],
    ['a block closed by another', text('{{#if a}}x{{/each}}'), 4, "broken tag: if doesn't match each"],
    [
      'an unknown block',
      text('\n\n{{#with a}}x{{/with}}'),
      6,
      'this form of {{#with}} cannot be compiled; allowed are {{value}}',
    ],
    ['a helper', text('{{upper a}}'), 4, 'the helper upper cannot be compiled'],
    ['a condition of two values', text('{{#if a b}}x{{/if}}'), 4, 'this form of {{#if}}'],
    ['block parameters', text('{{#each a as |b|}}x{{/each}}'), 4, 'this form of {{#each}}'],
    ['a subexpression', text('{{#if (eq a b)}}x{{/if}}'), 4, 'a literal or a subexpression'],
    ['a literal', text('{{"a"}}'), 4, 'a literal or a subexpression'],
    ['a Handlebars partial', text('{{> a}}'), 4, 'a Handlebars partial cannot be compiled'],
    ['a path out of the view', text('{{../a}}'), 4, '../a, which leads out of the view'],
    ['a loop variable outside of a loop', text('{{@index}}'), 4, '@index outside of {{#each}}'],
    ['an unknown loop variable', text('{{#each a}}{{@key}}{{/each}}'), 4, '@key cannot be compiled'],
    ['a name that is none', text('{{a-b}}'), 4, 'a-b cannot be compiled'],
    [
      'a tag in a style',
      '<mj-text font-size="{{a}}">x</mj-text>',
      4,
      '{{a}} in the attribute font-size; allowed are href, src',
    ],
    [
      'a tag in an inline style',
      text('<a style="color:{{a}}">x</a>'),
      4,
      '{{a}} in the attribute style; allowed are href, src',
    ],
    ['a tag in place of an attribute', text('<a {{a}}>x</a>'), 4, '{{a}} stands inside an element'],
    ['markup in an attribute', text('<a href="{{{a}}}">x</a>'), 4, '{{{a}}} in an attribute; write it with two braces'],
    [
      'a condition in css-class',
      '<mj-text css-class="{{#if a}}b{{/if}}">x</mj-text>',
      4,
      'css-class; only a value without white space',
    ],
    [
      'a tag between MJML elements',
      `{{#if a}}${text('x')}{{/if}}`,
      4,
      'MJML drops {{#if a}} here; between MJML elements write <mj-raw>{{#if a}}</mj-raw>',
    ],
    ['an unknown constant', text('[[left]]'), 4, '[[left]] is unknown; allowed are [[dir]], [[start]], [[end]]'],
    ['a missing partial', '<mj-include path="./no.mjml" />', 4, 'there is no file ./no.mjml'],
  ])('%s', async (_, content, line, told) => {
    write({ 'letter.mjml': mail(content) });
    const message = await generate(folder).catch((error: Error) => error.message);
    expect(message).toContain(`${relative(process.cwd(), join(folder, 'letter.mjml'))}:${line}: `);
    expect(message).toContain(told);
  });

  test('in a style sheet', async () => {
    write({
      'letter.mjml': mail('x').replace('<mj-title>', '<mj-style>p { color: {{a}} }</mj-style><mj-title>'),
    });
    await expect(generate(folder)).rejects.toThrow(/:1: {{a}} stands in a style sheet/);
  });

  test('in a partial, by the name of the partial', async () => {
    write({
      'letter.mjml': mail('<mj-include path="./parts/a.mjml" />'),
      'parts/a.mjml': '\n<mj-text nope="1">x</mj-text>',
    });
    const message = `${join('parts', 'a.mjml')}:2: <mj-text> Attribute nope is illegal`;
    await expect(generate(folder)).rejects.toThrow(message);
  });

  test('two mistakes are told at once', async () => {
    write({
      'letter.mjml': mail('<mj-text a="1">x</mj-text>\n<mj-text b="2">x</mj-text>'),
    });
    await expect(generate(folder)).rejects.toThrow(/:4: .*\n.*:5: /);
  });
});

describe('the code of a template', () => {
  test.each([
    ['a value is escaped', '{{a.b}}', ' + escapeHtml(v.a.b) + '],
    ['markup is not', '{{{a}}}', ' + v.a + '],
    [
      'an attribute takes a value',
      '<a href="{{a}}" title="x {{b}}">y</a>',
      `escapeHtml(v.a) + '" title="x ' + escapeHtml(v.b)`,
    ],
    ['a condition narrows the type', '{{#if a}}{{a}}{{/if}}', 'if (filled(v.a)) {\n    out += escapeHtml(v.a);\n  }'],
    ['a negation', '{{#unless a}}x{{/unless}}', "if (!filled(v.a)) {\n    out += 'x';"],
    [
      'an alternative',
      '{{#if a}}x{{else if b}}y{{else}}z{{/if}}',
      "} else {\n    if (filled(v.b)) {\n      out += 'y';\n    } else {\n      out += 'z';",
    ],
    [
      'a loop',
      '{{#each a}}{{this}}{{b}}{{../c}}{{/each}}',
      'for (const v1 of v.a) {\n    out += escapeHtml(v1) + escapeHtml(v1.b) + escapeHtml(v.c);',
    ],
    [
      'a loop in a loop',
      '{{#each a}}{{#each b}}{{../c}}{{../../d}}{{/each}}{{/each}}',
      'for (const v2 of v1.b) {\n      out += escapeHtml(v1.c) + escapeHtml(v.d);',
    ],
    ['an empty loop', '{{#each a}}x{{else}}y{{/each}}', "if (!filled(v.a)) {\n    out += 'y';"],
    [
      'loop variables',
      '{{#each a}}{{@index}}{{#if @last}}x{{/if}}{{/each}}',
      'for (const [i1, v1] of v.a.entries()) {\n    out += escapeHtml(i1);\n    if ((i1 === v.a.length - 1)) {',
    ],
    ['a quote and a backslash in a literal', "it's C:\\", "it\\'s C:\\\\"],
    ['a comment is left out', 'a<!-- {{secret}} -->b{{! note }}', 'ab'],
  ])('%s', async (_, html, code) => {
    expect(await codeOf(text(html))).toContain(code);
  });

  test('one function for each direction, typed by a view of the same name', async () => {
    write({
      'two-words.mjml': mail(text('<p style="text-align:[[start]]">[[dir]] [[end]]</p>')),
    });
    const code = await generate(folder);
    expect(code).toContain('export function twoWordsLtr(v: TwoWordsView): string {');
    expect(code).toContain('export function twoWordsRtl(v: TwoWordsView): string {');
    expect(code).toContain("import type { TwoWordsView } from './mail/views.ts';");
    expect(code).toMatch(/'ltr' \+ ' ' \+ 'right'[\s\S]*'rtl' \+ ' ' \+ 'left'/);
  });

  test('what both directions share is written once', async () => {
    const code = await codeOf(text('A sentence that is long enough to be worth a constant of its own.'));
    expect(code.split('A sentence that is long enough')).toHaveLength(2);
  });

  test('it has no remote font, no import and no unfilled tag', async () => {
    const code = await codeOf(`<mj-text font-family="Roboto">{{a}}</mj-text>`);
    expect(code).not.toMatch(/fonts\.googleapis|@import|\{\{/);
  });
});

describe('page.css', () => {
  test('is minified, with its hash for the Content-Security-Policy', async () => {
    write({
      'letter.mjml': mail(text('x')),
      'page.css': 'a {\n  color: #112233;\n}\n',
    });
    const code = await generate(folder);
    expect(code).toContain('export const pageCss: string = "a{color:#123}";');
    expect(code).toContain("export const pageCssHash: string = 'sha256-OncikvwTIpsRUf0zTy7AYnoj2Db2TbzIwetSMdtR/Io=';");
  });

  test('may be missing', async () => {
    expect(await codeOf(text('x'))).toContain('export const pageCss: string = "";');
  });
});

test('the committed templates.gen.ts is what templates/ makes', async () => {
  const root = resolve(import.meta.dirname, '../..');
  expect(await generate(join(root, 'templates'))).toBe(readFileSync(join(root, 'src/render/templates.gen.ts'), 'utf8'));
});

describe('a value that the view does not have', () => {
  const root = resolve(import.meta.dirname, '../..');
  const file = join(root, 'src/render/templates.gen.ts');
  const code = (value: string) =>
    `import type { NoticeView } from './mail/views.ts';\nexport const notice = (v: NoticeView): string => ${value};\n`;
  const tag = (text: string) => ({ text, path: join(root, 'templates/notice.mjml'), line: 7 });

  test.each([
    ['a misspelt name', 'v.titel', '{{titel}}', /notice\.mjml:7: {{titel}}: Property 'titel' does not exist.*'title'/],
    [
      'one that may be missing',
      'v.button.url',
      '{{button.url}}',
      /notice\.mjml:7: {{button\.url}}: 'v\.button' is possibly/,
    ],
  ])('%s is named with its line', (_, value, text, message) => {
    expect(() => checkValues(code(value), file, [tag('{{title}}'), tag(text)])).toThrow(message);
  });

  test('what is there is accepted', () => {
    expect(() => checkValues(code('v.title'), file, [])).not.toThrow();
  });
});
