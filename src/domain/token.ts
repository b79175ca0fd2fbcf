import { decodeBase64, encodeBase64url } from './base64url.ts';
import { instant, milliseconds } from './time.ts';

/** What a link or a form lets its holder do, and whether it is about a digest. No token works for another purpose. */
const PURPOSES = {
  unsubscribe: { scoped: true },
  preview: { scoped: true },
  confirm: { scoped: true },
  preferences: { scoped: false },
  address: { scoped: false },
  form: { scoped: false },
} as const;
export type TokenPurpose = keyof typeof PURPOSES;

/** Room for a confirmation of twenty digests with long names. */
const MOST_CHARACTERS = 4000;

/** The claims of a token. */
export interface Token {
  purpose: TokenPurpose;
  /** Whom or what it is about: a subscriber's id, an issue's number, an address change, the time a form was shown. */
  subject: string;
  /** The digest it is about, several joined by "+" for a confirmation; empty for purposes without one. */
  scope: string;
  /** It never expires when absent: links in old mails must work. */
  expiresAt?: string;
}

/**
 * The signed part of a token: `v1.<key id>.<purpose>.<subject>.<scope>`, and `.<Unix seconds>` when it expires. Free
 * text is base64url (RFC 4648 section 5), so that the whole is safe in a path and in a mail header.
 */
export function encodeClaims({ purpose, subject, scope, expiresAt }: Token, keyId: string): string {
  const parts = ['v1', keyId, purpose, base64url(subject), base64url(scope)];
  if (expiresAt !== undefined) parts.push(String(milliseconds(expiresAt) / 1000));
  return parts.join('.');
}

/** The parts of a token's text, or undefined when it is no token. Nothing is proven yet: check the signature. */
export function decodeToken(
  text: string,
): { token: Token; keyId: string; claims: string; signature: string } | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const claims = text.slice(0, Math.max(text.lastIndexOf('.'), 0));
  const signature = text.slice(claims.length + 1);
  const [version, keyId, purpose = '', subject, scope, expires, ...rest] = claims.split('.');
  if (version !== 'v1' || !keyId || !subject || !signature || rest.length > 0 || !isPurpose(purpose)) return undefined;
  if (PURPOSES[purpose].scoped ? !scope : scope !== '') return undefined;
  if (expires !== undefined && !/^[1-9]\d{0,10}$/.test(expires)) return undefined;
  const subjectText = fromBase64url(subject);
  const scopeText = fromBase64url(scope ?? '');
  if (subjectText === undefined || scopeText === undefined) return undefined;
  const token = { purpose, subject: subjectText, scope: scopeText };
  const expiresAt = expires === undefined ? {} : { expiresAt: instant(Number(expires) * 1000) };
  return { token: { ...token, ...expiresAt }, keyId, claims, signature };
}

function isPurpose(text: string): text is TokenPurpose {
  return Object.hasOwn(PURPOSES, text);
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
