import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from './fault.ts';
import { secret } from './secrets.ts';

const RETRY_MILLISECONDS = 200;

/**
 * Calls `/api/v1` or another address of the Worker with the admin token.
 * @param tries how often to try while it does not answer or answers 5xx; more than once only for what may be repeated
 * @throws UserError when it does not answer 2xx
 */
export async function operatorCall<T>(base: string, path: string, body?: unknown, tries = 1): Promise<T> {
  const headers = { Authorization: `Bearer ${secret('ADMIN_TOKEN', base)}`, 'Content-Type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL(path, base), { ...init, signal: AbortSignal.timeout(30_000) }).catch(
      () => undefined,
    );
    if (response?.ok) return (await response.json()) as T;
    if (attempt >= tries || (response && response.status < 500)) throw await fault(base, path, response);
    await response?.body?.cancel();
    await sleep(attempt * RETRY_MILLISECONDS);
  }
}

async function fault(base: string, path: string, response: Response | undefined): Promise<UserError> {
  if (!response) return new UserError(`${base} does not answer. Is it running? "npm start" serves it here.`);
  return new UserError(`${base}${path} answered ${response.status}: ${explain(await response.text())}`);
}

/** The sentences of a problem document (RFC 9457), or the text as it is. */
function explain(text: string): string {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      detail?: string;
      errors?: { pointer: string; message: string }[];
    };
    return [detail ?? text, ...errors.map(({ pointer, message }) => `${pointer} ${message}`)].join('\n');
  } catch {
    return text;
  }
}
