import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64url } from '../../src/domain/base64url.ts';
import { decodeToken, encodeClaims, type Token } from '../../src/domain/token.ts';
import { type TokenSecret, tokens } from '../../src/platform/tokens.ts';

const NEW: TokenSecret = { id: 'k2', secret: 'the newer secret of these tests, long' };
const OLD: TokenSecret = { id: 'k1', secret: 'the older secret of these tests, long' };

const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
const token: fc.Arbitrary<Token> = fc.record({
  purpose: fc.constantFrom('unsubscribe' as const, 'preview' as const),
  subject: text,
  scope: text,
});

describe('base64url', () => {
  test.each([
    [[], ''],
    [[0xfb, 0xff, 0xfe], '-__-'],
    [[0x66], 'Zg'],
    [[0x66, 0x6f], 'Zm8'],
  ])('%j is %s (RFC 4648 sections 5 and 10)', (bytes, encoded) => {
    expect(encodeBase64url(Uint8Array.from(bytes))).toBe(encoded);
    expect(decodeBase64(encoded)).toEqual(Uint8Array.from(bytes));
  });

  test.each(['Zg==', 'Zg', '+/8=', '-_8'])('%s is read, padded or not, in either alphabet', (encoded) => {
    expect(decodeBase64(encoded)).toBeDefined();
  });

  test.each(['Z', 'Zg=', 'Zg===', 'Z g', 'Zg\n', 'Ž', '=', 'Z=g'])('%j is refused', (encoded) => {
    expect(decodeBase64(encoded)).toBeUndefined();
  });

  test('any bytes come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const encoded = encodeBase64url(bytes);
        expect(encoded).toMatch(/^[A-Za-z0-9_-]*$/);
        expect(decodeBase64(encoded)).toEqual(Uint8Array.from(bytes));
      }),
    );
  });
});

describe('a token', () => {
  test('brings its claims back, and is safe in a path and a mail header', async () => {
    const port = tokens([NEW]);
    await fc.assert(
      fc.asyncProperty(token, async (claims) => {
        const signed = await port.sign(claims);
        expect(signed).toMatch(/^[A-Za-z0-9._-]+$/);
        expect(await port.verify(signed)).toEqual(claims);
      }),
    );
  });

  test('proves nothing when any of its characters is another', async () => {
    const port = tokens([NEW]);
    const claims: Token = { purpose: 'unsubscribe', subject: 'ada', scope: 'weekly' };
    const signed = await port.sign(claims);
    await fc.assert(
      // The last character of a base64url text has bits that mean nothing; all the others count.
      fc.asyncProperty(fc.nat(signed.length - 2), fc.constantFrom(...'AZaz09-_.'), async (index, character) => {
        fc.pre(signed[index] !== character);
        expect(await port.verify(signed.slice(0, index) + character + signed.slice(index + 1))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('of any other text is no token and throws nothing', async () => {
    const port = tokens([NEW, OLD]);
    const parts = fc.array(fc.oneof(fc.string(), fc.constantFrom('v1', 'k2', 'unsubscribe', 'YQ', '')), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          parts.map((each) => each.join('.')),
        ),
        async (given) => {
          expect(await port.verify(given)).toBeUndefined();
        },
      ),
    );
  });

  test.each<[string, [TokenSecret, ...TokenSecret[]], boolean]>([
    ['after a rotation', [NEW, OLD], true],
    ['when its key is gone', [NEW], false],
    ['when its key’s name has another secret', [{ id: OLD.id, secret: NEW.secret }], false],
  ])('signed by the older key, %s', async (_name, secrets, valid) => {
    const claims: Token = { purpose: 'unsubscribe', subject: 'ada', scope: 'weekly' };
    const signed = await tokens([OLD]).sign(claims);
    expect(await tokens(secrets).verify(signed)).toEqual(valid ? claims : undefined);
  });

  test('is signed by the first key', async () => {
    expect(await tokens([NEW, OLD]).sign({ purpose: 'preview', subject: '1', scope: 'd' })).toMatch(
      /^v1\.k2\.preview\./,
    );
  });

  test.each([
    ['another version', 'v2.k.unsubscribe.YQ.YQ.c2ln'],
    ['another purpose', 'v1.k.admin.YQ.YQ.c2ln'],
    ['an empty key', 'v1..unsubscribe.YQ.YQ.c2ln'],
    ['an empty subject', 'v1.k.unsubscribe..YQ.c2ln'],
    ['an empty scope', 'v1.k.unsubscribe.YQ..c2ln'],
    ['no signature', 'v1.k.unsubscribe.YQ.YQ'],
    ['one field too many', 'v1.k.unsubscribe.YQ.YQ.c2ln.x'],
    ['a subject that is not UTF-8', 'v1.k.unsubscribe._w.YQ.c2ln'],
    ['a subject that is not base64url', 'v1.k.unsubscribe.Y*.YQ.c2ln'],
    ['more than 4000 characters', `v1.k.unsubscribe.${'YWFh'.repeat(1100)}.YQ.c2ln`],
  ])('with %s is not decoded', (_name, given) => {
    expect(decodeToken(given)).toBeUndefined();
  });

  test('decoded says what was encoded', () => {
    const claims = encodeClaims({ purpose: 'unsubscribe', subject: 'ädä', scope: 'неделя' }, 'k');
    expect(decodeToken(`${claims}.c2ln`)).toEqual({
      token: { purpose: 'unsubscribe', subject: 'ädä', scope: 'неделя' },
      keyId: 'k',
      claims,
      signature: 'c2ln',
    });
  });
});
