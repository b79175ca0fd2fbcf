import { milliseconds } from '../domain/time.ts';
import { secretsEqual } from './hmac.ts';
import { checkProof, type ProofSecrets, type ProofVerdict } from './webhook-proof.ts';

/** Who may do what: callers of the webhook prove themselves, operators have the admin token. */
export function authorization(secrets: ProofSecrets & { adminToken: string }, now: () => string) {
  return {
    /** Whether a call proves itself, and the id it goes by. */
    checkProof(body: Uint8Array<ArrayBuffer>, headers: Headers): Promise<ProofVerdict> {
      const header = (name: string) => headers.get(name) ?? undefined;
      const proof = {
        body,
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        authorization: header('authorization'),
        idempotencyKey: header('idempotency-key'),
      };
      return checkProof(proof, secrets, milliseconds(now()) / 1000);
    },

    async isAdmin(header: string | undefined): Promise<boolean> {
      const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
      return token !== undefined && secretsEqual(token, secrets.adminToken);
    },
  };
}
