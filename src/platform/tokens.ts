import { decodeBase64, encodeBase64url } from '../domain/base64url.ts';
import type { Tokens } from '../domain/ports.ts';
import { decodeToken, encodeClaims } from '../domain/token.ts';
import { hmacSha256 } from './hmac.ts';

/** A signing key and its name, which stands in every token, so that old links survive a rotation. */
export interface TokenSecret {
  id: string;
  secret: string;
}

/** Signed tokens. The first secret signs; every one verifies. */
export function tokens([current, ...older]: [TokenSecret, ...TokenSecret[]]): Tokens {
  const signer = hmacSha256(current.secret);
  const keys = new Map(older.map(({ id, secret }) => [id, hmacSha256(secret)])).set(current.id, signer);
  return {
    async sign(token) {
      const claims = encodeClaims(token, current.id);
      return `${claims}.${encodeBase64url(await signer.sign(claims))}`;
    },

    async verify(text) {
      const decoded = decodeToken(text);
      const key = keys.get(decoded?.keyId ?? '');
      const signature = decoded && decodeBase64(decoded.signature);
      if (!decoded || !key || !signature) return undefined;
      const matches = await key.matches(decoded.claims, signature);
      return matches ? decoded.token : undefined;
    },
  };
}
