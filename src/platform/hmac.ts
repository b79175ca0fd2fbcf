const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** HMAC-SHA-256 (RFC 2104) with one key. */
export interface Hmac {
  sign(text: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether a signature is right; WebCrypto compares in constant time. */
  matches(data: string | Uint8Array<ArrayBuffer>, signature: BufferSource): Promise<boolean>;
}

/** The key is imported once, at its first use: importing it costs more than signing a short text. */
export function hmacSha256(key: string | Uint8Array<ArrayBuffer>): Hmac {
  let imported: Promise<CryptoKey> | undefined;
  const imports = () => {
    imported ??= crypto.subtle.importKey('raw', bytesOf(key), ALGORITHM, false, ['sign', 'verify']);
    return imported;
  };
  return {
    async sign(text) {
      return new Uint8Array(await crypto.subtle.sign('HMAC', await imports(), encoder.encode(text)));
    },
    async matches(data, signature) {
      return crypto.subtle.verify('HMAC', await imports(), signature, bytesOf(data));
    },
  };
}

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export async function secretsEqual(one: string, other: string): Promise<boolean> {
  // Any key will do: equal texts have equal tags.
  const hmac = hmacSha256(crypto.getRandomValues(new Uint8Array(32)));
  return hmac.matches(one, await hmac.sign(other));
}

function bytesOf(data: string | Uint8Array<ArrayBuffer>): BufferSource {
  return typeof data === 'string' ? encoder.encode(data) : data;
}
