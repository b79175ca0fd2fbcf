import { decodeBase64, encodeBase64url } from '../domain/base64url.ts';
import type { Tokens } from '../domain/ports.ts';
import { decodeToken, encodeClaims } from '../domain/token.ts';
import { hmacSha256, hmacSha256Matches } from './hmac.ts';

/** A signing key and its name, which stands in every token, so that old links survive a rotation. */
export interface TokenSecret {
  id: string;
  secret: string;
}

const encoder = new TextEncoder();

/** Signed tokens. The first secret signs; every one verifies. */
export function tokens(secrets: [TokenSecret, ...TokenSecret[]]): Tokens {
  return {
    async sign(token) {
      const [current] = secrets;
      const claims = encodeClaims(token, current.id);
      return `${claims}.${encodeBase64url(await hmacSha256(encoder.encode(current.secret), claims))}`;
    },

    async verify(text) {
      const decoded = decodeToken(text);
      const known = secrets.find((secret) => secret.id === decoded?.keyId);
      const signature = decoded && decodeBase64(decoded.signature);
      if (!decoded || !known || !signature) return undefined;
      const matches = await hmacSha256Matches(encoder.encode(known.secret), decoded.claims, signature);
      return matches ? decoded.token : undefined;
    },
  };
}
