import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseEmail } from '../../src/domain/subscriber.ts';

const LONG_LOCAL = 'l'.repeat(64);
/** 63 + 1 + 63 + 1 + 52 + 8 characters. */
const LONG_DOMAIN = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(52)}.example`;

describe('normaliseEmail', () => {
  test.each([
    ['ada@reader.example', 'ada@reader.example'],
    ['  ada@reader.example\n', 'ada@reader.example'],
    ['Ada@Reader.EXAMPLE', 'Ada@reader.example'],
    ['ada.b+tag@reader.example', 'ada.b+tag@reader.example'],
    ["o'neil@reader.example", "o'neil@reader.example"],
    ['!#$%&*/=?^_`{|}~-@reader.example', '!#$%&*/=?^_`{|}~-@reader.example'],
    ['1@2.example', '1@2.example'],
    ['ada@sub.sub.reader.example', 'ada@sub.sub.reader.example'],
    ['ada@re-ader.example', 'ada@re-ader.example'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@reader。example', 'ada@reader.example'],
    [`${LONG_LOCAL}@reader.example`, `${LONG_LOCAL}@reader.example`],
    [`a@${LONG_DOMAIN}`, `a@${LONG_DOMAIN}`],
  ])('%s is %s', (given, normal) => {
    expect(normaliseEmail(given)).toBe(normal);
  });

  test.each([
    '',
    ' ',
    'ada',
    '@reader.example',
    'ada@',
    'ada@localhost',
    'ada@reader',
    'ada@.example',
    'ada@reader..example',
    'ada@reader.example.',
    'ada@-reader.example',
    'ada@reader-.example',
    'ada@rea_der.example',
    'ada@rea der.example',
    'ada@reader.example, bea@reader.example',
    'ada@reader.example,bea@reader.example',
    'ada@bea@reader.example',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@[127.0.0.1]',
    'ada@[IPv6:::1]',
    'ada@reader.example:25',
    'ada@reader.example/path',
    'ada@reader.example?x',
    'ada@reader.example#x',
    'ada@re%61der.example',
    '.ada@reader.example',
    'ada.@reader.example',
    'ad..a@reader.example',
    'a da@reader.example',
    '"a da"@reader.example',
    '"ada"@reader.example',
    'ada(comment)@reader.example',
    'Ada <ada@reader.example>',
    '<ada@reader.example>',
    'mailto:ada@reader.example',
    'ädä@reader.example',
    'ada\r\nBcc: bea@reader.example',
    'ada@reader.example\r\nBcc: bea@other.example',
    'ad\u0000a@reader.example',
    'ada@read\u0000er.example',
    `${LONG_LOCAL}l@reader.example`,
    `ad@${LONG_DOMAIN}${'.example'.repeat(8)}`,
    `ada@${'a'.repeat(64)}.example`,
  ])('%j is refused', (given) => {
    expect(normaliseEmail(given)).toBeUndefined();
  });

  test('of its own result changes nothing, and the result is one harmless word', () => {
    const address = fc.oneof(
      fc.emailAddress(),
      fc.tuple(fc.string(), fc.domain()).map((parts) => parts.join('@')),
      fc.tuple(fc.constantFrom('ada', 'a.b'), fc.string({ unit: 'grapheme' })).map((parts) => parts.join('@')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(address, (given) => {
        const normal = normaliseEmail(given);
        if (normal === undefined) return;
        expect(normal).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
        expect(normal).not.toMatch(/[",:;<>()[\]\\]/);
        expect(normal.length).toBeLessThanOrEqual(254);
        expect(normaliseEmail(normal)).toBe(normal);
      }),
      { numRuns: 1000 },
    );
  });
});
