import { decodeBase64, encodeBase64url } from './base64url.ts';

/** What a link in a mail lets its holder do. A token of one purpose never works for another. */
export type TokenPurpose = 'unsubscribe' | 'preview';

/** The claims of a token. `subject` is a subscriber's id, or an issue's digest and number for a preview. */
export interface Token {
  purpose: TokenPurpose;
  subject: string;
  digest: string;
}

/**
 * The signed part of a token: `v1.<key id>.<purpose>.<subject>.<digest>`, each field base64url (RFC 4648 section 5)
 * where it is free text, so that the whole is safe in a path and in a mail header.
 */
export function encodeClaims(token: Token, keyId: string): string {
  return ['v1', keyId, token.purpose, base64url(token.subject), base64url(token.digest)].join('.');
}

/** The parts of a token's text, or undefined when it is no token. Nothing is proven yet: check the signature. */
export function decodeToken(
  text: string,
): { token: Token; keyId: string; claims: string; signature: string } | undefined {
  if (text.length > 1000) return undefined;
  const [version, keyId, purpose, subject, digest, signature, ...rest] = text.split('.');
  if (version !== 'v1' || !keyId || !subject || !digest || !signature || rest.length > 0) return undefined;
  if (purpose !== 'unsubscribe' && purpose !== 'preview') return undefined;
  const subjectText = fromBase64url(subject);
  const digestText = fromBase64url(digest);
  if (subjectText === undefined || digestText === undefined) return undefined;
  const claims = text.slice(0, text.lastIndexOf('.'));
  return { token: { purpose, subject: subjectText, digest: digestText }, keyId, claims, signature };
}

function base64url(text: string): string {
  return encodeBase64url(new TextEncoder().encode(text));
}

function fromBase64url(text: string): string | undefined {
  const bytes = decodeBase64(text);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
