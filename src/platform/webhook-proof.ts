import { decodeBase64 } from '../domain/base64url.ts';
import { hmacSha256, secretsEqual } from './hmac.ts';

/** Seconds a call's timestamp may lie in the past or the future (Standard Webhooks, "Verifying the timestamp"). */
const TOLERANCE_SECONDS = 300;

/** What a signature is checked against: the raw bytes and the headers beside them. */
export interface SignedCall {
  body: Uint8Array<ArrayBuffer>;
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
}

/** What a call says to prove itself. */
export interface Proof extends SignedCall {
  authorization: string | undefined;
  idempotencyKey: string | undefined;
}

export interface ProofSecrets {
  /** `whsec_` and base64, the newest first. */
  webhookSecrets: string[];
  publishToken: string;
}

/** The id that a proven call goes by, or what its proof lacks. */
export type ProofVerdict = { id: string } | { fault: string };

/**
 * Checks a Standard Webhooks signature (headers webhook-id, webhook-timestamp, webhook-signature: `v1,` and the base64
 * HMAC-SHA-256 of `id.timestamp.body`), or for callers that cannot sign a bearer token with an Idempotency-Key.
 * @param nowSeconds Unix seconds
 */
export async function checkProof(proof: Proof, secrets: ProofSecrets, nowSeconds: number): Promise<ProofVerdict> {
  if (proof.signature !== undefined) return checkSignature(proof, secrets.webhookSecrets, nowSeconds);
  if (proof.authorization !== undefined) return checkBearer(proof, proof.authorization, secrets);
  return {
    fault:
      'sign the call with the headers webhook-id, webhook-timestamp and webhook-signature, or send Authorization: Bearer with an Idempotency-Key',
  };
}

/**
 * The signature part of `checkProof`.
 * @param secrets `whsec_` and base64; any of them will do
 * @param nowSeconds Unix seconds
 * @param prefix how the three headers begin: `svix` with senders older than the specification
 */
export async function checkSignature(
  { body, id, timestamp, signature: header = '' }: SignedCall,
  secrets: string[],
  nowSeconds: number,
  prefix: 'webhook' | 'svix' = 'webhook',
): Promise<ProofVerdict> {
  if (!id || id.length > 256) return { fault: `${prefix}-id must have 1 to 256 characters` };
  if (!timestamp || !/^\d{1,12}$/.test(timestamp)) return { fault: `${prefix}-timestamp must be Unix seconds` };
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) {
    return { fault: `${prefix}-timestamp must be within ${TOLERANCE_SECONDS} seconds of now` };
  }
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const keys = secrets.flatMap((secret) => decodeBase64(secret.replace(/^whsec_/, '')) ?? []);
  for (const signature of header.split(' ').flatMap(versionOne)) {
    for (const key of keys) {
      if (await hmacSha256(key).matches(signed, signature)) return { id };
    }
  }
  return {
    fault: `${prefix}-signature matches none of the secrets: sign "<id>.<timestamp>.<body>" over the exact bytes`,
  };
}

function versionOne(part: string): Uint8Array<ArrayBuffer>[] {
  const bytes = part.startsWith('v1,') ? decodeBase64(part.slice(3)) : undefined;
  return bytes && bytes.length > 0 ? [bytes] : [];
}

async function checkBearer(proof: Proof, authorization: string, secrets: ProofSecrets): Promise<ProofVerdict> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined || !(await secretsEqual(token, secrets.publishToken))) {
    return { fault: 'Authorization must be Bearer and the publish token' };
  }
  const key = proof.idempotencyKey;
  if (!key || key.length > 256) return { fault: 'Idempotency-Key must have 1 to 256 characters' };
  return { id: key };
}

function concatenate(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}
