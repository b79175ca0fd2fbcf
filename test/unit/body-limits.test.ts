import { describe, expect, test } from 'vitest';
import { type BodySource, htmlToText, renderBody } from '../../src/render/body.ts';

const TIMES = 10_000;

function repeated(part: string): string {
  return part.repeat(TIMES);
}

function rendered(source: BodySource): string {
  return renderBody(source, 'https://news.example/p/one').html;
}

function depthOf(html: string, tagName: string): number {
  return html.split(`<${tagName}>`).length - 1;
}

describe('nested deeper than any article, shown as plain text', () => {
  test.each<[name: string, source: BodySource]>([
    ['divisions', { html: `${repeated('<div>')}ebb${repeated('</div>')}` }],
    ['unclosed quotations', { html: `${repeated('<blockquote>')}ebb` }],
    ['unclosed formatting', { html: `${repeated('<b><i>')}ebb` }],
    ['tables', { html: `${repeated('<table><tr><td>')}ebb` }],
    ['SVG', { html: `${repeated('<svg><g>')}ebb` }],
    ['HTML in Markdown', { markdown: `${repeated('<div>')}ebb` }],
    ['a script among it', { html: `${repeated('<div>')}ebb<script>flow</script><style>flow</style><!-- flow -->` }],
  ])('%s', (_name, source) => {
    expect(rendered(source)).toBe('<p>ebb</p>');
  });

  test('emphasis', () => {
    expect(rendered({ markdown: `${'*a '.repeat(450)}ebb${'a* '.repeat(450)}` })).toMatch(
      /^<p>\*a \*a .*ebb.*a\*<\/p>$/,
    );
  });

  test('formatting that every paragraph opens again', () => {
    const fonts = Array.from({ length: 300 }, (_, size) => `<font size="${size}">`).join('');
    expect(rendered({ html: `<p>${fonts}</p>${repeated('<p>ebb')}` })).toMatch(/^<p>(?:ebb ?)+<\/p>$/);
  });

  test('long attributes that every paragraph repeats', () => {
    expect(rendered({ html: `<p><b title="${'x'.repeat(5000)}"></p>${repeated('<p>ebb')}` })).toMatch(
      /^<p>(?:ebb ?)+<\/p>$/,
    );
  });
});

describe('nested deep, still shown', () => {
  test('300 divisions', () => {
    const html = `${'<div>'.repeat(300)}ebb${'</div>'.repeat(300)}`;
    expect(rendered({ html })).toBe(html);
    expect(htmlToText(html)).toBe('ebb');
  });

  test.each<[name: string, markdown: string, tagName: string, depth: number]>([
    ['quotations of one line', `${repeated('> ')}ebb`, 'blockquote', 40],
    ['quotations without spaces', `${repeated('>')}ebb`, 'blockquote', 40],
    ['lists of one line', `${repeated('- ')}ebb`, 'ul', 40],
    ['numbered lists of one line', `${repeated('1. ')}ebb`, 'ol', 40],
    [
      'lists of many lines',
      Array.from({ length: 110 }, (_, level) => `${' '.repeat(2 * level)}- ebb`).join('\n'),
      'ul',
      41,
    ],
  ])('%s, up to a level', (_name, markdown, tagName, depth) => {
    const html = rendered({ markdown });
    expect(depthOf(html, tagName)).toBe(depth);
    expect(htmlToText(html)).toContain('ebb');
  });
});

describe('more than any article holds, shown as plain text', () => {
  test.each<[name: string, markdown: string]>([
    ['emphasis in one paragraph', repeated('*a ')],
    ['a long run of stars', `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`],
    ['links in one paragraph', repeated('[a](')],
    ['links in all', repeated('[a](b) [c](d) [e](f) [g](h)\n\n')],
    ['comments in one paragraph', `a ${repeated('<!-- ')}`],
    ['runs of backticks', Array.from({ length: 200 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['underlined headings', repeated('a\n=\n')],
    ['cells', `${repeated('|a')}\n${repeated('|-')}\n${'|b\n'.repeat(20)}`],
    ['lines', 'a\n'.repeat(20_001)],
    ['references to a long address', `[a]: </${'x'.repeat(3000)}>\n\n${'[a] '.repeat(2000)}`],
  ])('%s', (_name, markdown) => {
    expect(rendered({ markdown })).toMatch(/^<(p|pre)>[^<]*(?:<\/?(?:br|p)>\n?[^<]*)*<\/\1>$/);
  });

  test.each<[name: string, markdown: string]>([
    ['a long sample', `\`\`\`\n${'*a [b] '.repeat(2000)}\n\`\`\`\n\n*ebb*`],
    ['a long sample with tildes', `~~~\n${'*a [b]\n'.repeat(2000)}~~~\n\n*ebb*`],
    ['many names with underscores', `${'low_tide_mark '.repeat(2000)}\n\n*ebb*`],
    ['a sample with a long rule', `\`\`\`\n// ${'*'.repeat(2000)}\n\`\`\`\n\n*ebb*`],
    ['a long rule', `${'*'.repeat(2000)}\n\n*ebb*`],
    ['a long paragraph', `${'The tide comes in. '.repeat(2000)}*ebb*`],
    ['many paragraphs', `${'The *tide* comes [in](a).\n\n'.repeat(300)}*ebb*`],
  ])('but not %s', (_name, markdown) => {
    expect(rendered({ markdown })).toContain('<em>ebb</em>');
  });

  test('a log of many lines is one block', () => {
    expect(rendered({ text: 'ebb\n'.repeat(20_001) })).toBe(`<pre>${'ebb\n'.repeat(20_000)}ebb</pre>`);
  });
});
