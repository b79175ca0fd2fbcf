import { createHmac, randomUUID } from 'node:crypto';
import { UserError } from './fault.ts';
import { secret } from './secrets.ts';

const TRIES = 3;
const TIMEOUT_MILLISECONDS = 30_000;

export interface WebhookResponse {
  status: number;
  body: Record<string, unknown>;
}

/**
 * Signs a call (Standard Webhooks) with the newest of WEBHOOK_SECRETS and posts it. A call whose answer got lost is
 * repeated under the same id, which is harmless.
 * @param base address of the Worker, with a slash at its end
 */
export function callWebhook(base: string, type: string, data: unknown): Promise<WebhookResponse> {
  return call(base, 'webhooks', type, data);
}

/** What a call would do; nothing of it is done. */
export function planWebhook(base: string, type: string, data: unknown): Promise<WebhookResponse> {
  return call(base, 'webhooks?dryRun=1', type, data);
}

async function call(base: string, path: string, type: string, data: unknown): Promise<WebhookResponse> {
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const key = signingKey(base);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post(new URL(path, base), key, id, body);
    } catch (error) {
      if (attempt === TRIES) {
        throw new UserError(`${base} does not answer (${reason(error)}). Is it running? "npm start" serves it here.`);
      }
    }
  }
}

async function post(url: URL, key: Buffer, id: string, body: string): Promise<WebhookResponse> {
  const timestamp = Math.floor(Date.now() / 1000);
  const response = await fetch(url, {
    method: 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(key, `${id}.${timestamp}.${body}`),
    },
    body,
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new UserError(`${url} answered ${response.status} and no JSON. Is a Broadside Worker there?`);
  }
}

/** The newest of WEBHOOK_SECRETS, as bytes. */
function signingKey(base: string): Buffer {
  const [newest = ''] = secret('WEBHOOK_SECRETS', base).split(',');
  return Buffer.from(newest.trim().replace(/^whsec_/, ''), 'base64');
}

function sign(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
