import type { Hashes } from '../domain/ports.ts';
import { hmacSha256 } from './hmac.ts';

const encoder = new TextEncoder();

/**
 * Hashes by WebCrypto.
 * @param suppressionKey key of the address hash; without it nobody can tell from a hash which address was suppressed
 */
export function hashes(suppressionKey: string): Hashes {
  const addresses = hmacSha256(suppressionKey);
  return {
    async sha256(text) {
      return hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
    },

    async uuidV5(namespace, name) {
      const space = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (pair) =>
        Number.parseInt(pair, 16),
      );
      const bytes = new Uint8Array([...space, ...encoder.encode(name)]);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).slice(0, 16);
      // RFC 9562 section 5.5: four bits of version, two of variant.
      hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
      hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
      return hex(hash.buffer).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },

    async address(email) {
      // A mailbox does not become another one by capital letters, whatever RFC 5321 allows.
      return hex((await addresses.sign(email.toLowerCase())).buffer);
    },
  };
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
