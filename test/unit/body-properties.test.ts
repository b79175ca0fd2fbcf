import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BodySource, cleanText, firstSentences, htmlToText, renderBody } from '../../src/render/body.ts';

const ARTICLE = 'https://news.example/p/one';
const NAMES = [
  'a b blockquote body br button caption code col constructor div dl dt embed font foreignObject form h1 h2 hr html iframe',
  'img input li marquee math mi nobr noscript object ol option p picture plaintext pre script section select source style',
  'sup svg table tbody td template textarea th title tr ul video x-y xmp',
].flatMap((line) => line.split(' '));
const ATTRIBUTES = [
  'href=x | href="javascript:a" | href="java&#10;script:a" | href=//y | id=a | id="b c" | name=n | title="<b>" | src=/y',
  'src="data:image/gif,x" | srcset="a 1x, data:b" | data-src=q | data=w | poster=v | cite=c | background=g | onclick=z',
  'ONERROR="z()" | style="display:none" | hidden | type=checkbox disabled | width=1 height=1 | xmlns=u',
].flatMap((line) => line.split(' | '));
const PIECES = [
  ...'ebb |&lt;|&#12;|&#13;|&#0;|&amp;lt;script>|\uFFFE|\uD800|<!-- c|-->|]]>|<![CDATA[|<?|"|\'|=|<|/>'.split('|'),
  ...'*a* & ` & [x](y) & - & 1. & > & # & - [x] & [^1] & https://e.example/(a)'.split('& '),
  ...['\n', '\n\n', '```\n', '|a|\n|-|\n', '\n[^1]: n\n'],
];
const name = fc.constantFrom(...NAMES);
const soup = fc
  .array(
    fc.oneof(
      name.map((tag) => `<${tag}>`),
      name.map((tag) => `</${tag}>`),
      fc.tuple(name, fc.constantFrom(...ATTRIBUTES)).map(([tag, attribute]) => `<${tag} ${attribute}>`),
      fc.constantFrom(...PIECES),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));
const written = fc.oneof({ weight: 3, arbitrary: soup }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) });
const source: fc.Arbitrary<BodySource> = fc.oneof(
  written.map((html) => ({ html })),
  written.map((markdown) => ({ markdown })),
  written.map((text) => ({ text })),
);

/** Every attribute of every tag in serialised HTML, where `<` in text is always escaped. */
function attributesOf(html: string): [name: string, value: string][] {
  const tags = html.match(/<[a-z][^\s>]*(?:\s[^\s=>"]+(?:="[^"]*")?)*>/g) ?? [];
  return tags.flatMap((tag) =>
    [...tag.matchAll(/\s([^\s=>"]+)(?:="([^"]*)")?/g)].map(([, attribute = '', value = '']): [string, string] => [
      attribute,
      value,
    ]),
  );
}

function addressesOf(html: string): string[] {
  return attributesOf(html).flatMap(([attribute, value]) => {
    if (attribute === 'srcset') return value.split(', ');
    return ['href', 'src', 'poster', 'cite', 'background', 'longdesc', 'data', 'action'].includes(attribute)
      ? [value]
      : [];
  });
}

describe('whatever comes in', () => {
  test('nothing that runs and no relative address comes out', () => {
    fc.assert(
      fc.property(source, (body) => {
        const { html } = renderBody(body, ARTICLE);
        expect(html).not.toMatch(
          /<\/?(?:script|style|iframe|object|embed|form|input|svg|math|template|noscript|base|link|meta)\b/i,
        );
        for (const [attribute] of attributesOf(html)) expect(attribute).not.toMatch(/^(?:on|style$|data-|srcdoc$)/);
        for (const address of addressesOf(html)) expect(address).toMatch(/^(?:https?:\/\/[^/]|mailto:|tel:)/);
      }),
    );
  });

  test('what comes out goes in and comes out the same', () => {
    fc.assert(
      fc.property(source, (body) => {
        const { html } = renderBody(body, ARTICLE);
        expect(renderBody({ html }, ARTICLE).html).toBe(html);
      }),
    );
  });

  test('every character may stand in XML', () => {
    fc.assert(
      fc.property(source, (body) => {
        const { html } = renderBody(body, ARTICLE);
        expect(html.isWellFormed()).toBe(true);
        expect(html).toMatch(/^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
        expect(htmlToText(html, { links: true })).toMatch(/^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
      }),
    );
  });

  test('code comes out as it went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'{}[]()*_`~|#!\\/:; \ta=-.') }), (code) => {
        const escaped = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        expect(renderBody({ html: `<pre><code>${escaped}</code></pre>` }, ARTICLE).html).toBe(
          `<pre><code>${escaped}</code></pre>`,
        );
        expect(renderBody({ markdown: `~~~~~\nx${code.replaceAll('~', '-')}\n~~~~~` }, ARTICLE).html).toBe(
          `<pre><code>x${escaped.replaceAll('~', '-')}\n</code></pre>`,
        );
      }),
    );
  });

  test('a summary is as short as asked and whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const summary = firstSentences(text, 'en', max);
        expect(summary.length).toBeLessThanOrEqual(max);
        expect(summary.isWellFormed()).toBe(true);
      }),
    );
  });

  test('cleaning twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/\p{Cc}|\p{Cs}/u);
      }),
    );
  });
});
