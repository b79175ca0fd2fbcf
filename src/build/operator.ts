import { UserError } from './fault.ts';
import { secret } from './secrets.ts';

/** Calls `/api/v1` or another address of the Worker with the admin token. @throws UserError when it does not answer 2xx */
export async function operatorCall<T>(base: string, path: string, body?: unknown): Promise<T> {
  const headers = { Authorization: `Bearer ${secret('ADMIN_TOKEN', base)}`, 'Content-Type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(new URL(path, base), { ...init, signal: AbortSignal.timeout(30_000) }).catch(
    () => undefined,
  );
  if (!response) throw new UserError(`${base} does not answer. Is it running? "npm start" serves it here.`);
  if (!response.ok) throw new UserError(`${base}${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
