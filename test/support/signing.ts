import { decodeBase64 } from '../../src/domain/base64url.ts';
import { TEST_SECRETS } from './secrets.ts';

/** The newest of the test's webhook secrets. */
export const WEBHOOK_SECRET = TEST_SECRETS.WEBHOOK_SECRETS.split(',')[0] ?? '';

/** Headers of a signed call, by the Standard Webhooks specification. @param seconds Unix seconds */
export async function signedHeaders(
  body: string,
  id: string,
  seconds: number,
  secret = WEBHOOK_SECRET,
): Promise<Record<string, string>> {
  const bytes = decodeBase64(secret.replace('whsec_', '')) ?? new Uint8Array();
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${seconds}.${body}`));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}
