const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** HMAC-SHA-256 (RFC 2104) of UTF-8 text. */
export async function hmacSha256(key: BufferSource, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}

/** Whether a signature is right; WebCrypto compares in constant time. */
export async function hmacSha256Matches(
  key: BufferSource,
  text: string | Uint8Array<ArrayBuffer>,
  signature: BufferSource,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, signature, typeof text === 'string' ? encoder.encode(text) : text);
}

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export async function secretsEqual(one: string, other: string): Promise<boolean> {
  // Any key will do: equal texts have equal tags.
  const key = crypto.getRandomValues(new Uint8Array(32));
  return hmacSha256Matches(key, one, await hmacSha256(key, other));
}
