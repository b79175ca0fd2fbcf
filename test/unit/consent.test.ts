import { describe, expect, test } from 'vitest';
import { CONSENT_TEXTS, CONSENT_VERSION, truncateNetwork } from '../../src/domain/consent.ts';

describe('truncateNetwork', () => {
  test.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['10.1.2.255', '10.1.2.0/24'],
    ['2001:db8:77:1:2:3:4:5', '2001:db8:77::/48'],
    ['2001:DB8:77::5', '2001:db8:77::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:db8::', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['::', '0:0:0::/48'],
    ['fe80::1:2:3:4', 'fe80:0:0::/48'],
    ['2001:db8:77:1:2:3:192.0.2.1', '2001:db8:77::/48'],
    ['::ffff:203.0.113.9', '0:0:0::/48'],
    ['', undefined],
    ['localhost', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4.5', undefined],
    ['256.1.1.1', undefined],
    ['1.2.3.4, 5.6.7.8', undefined],
    ['2001:db8', undefined],
    ['2001:db8::77::1', undefined],
    ['[::1]', undefined],
    ['ada@reader.example', undefined],
  ])('%s is in %s', (address, network) => {
    expect(truncateNetwork(address)).toBe(network);
  });
});

test('the version that forms show has a text, and versions count from one', () => {
  expect(Object.keys(CONSENT_TEXTS).map(Number)).toEqual(
    Array.from({ length: CONSENT_VERSION }, (_, index) => index + 1),
  );
});
