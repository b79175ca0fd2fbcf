import { randomUUID } from 'node:crypto';
import { signedHeaders } from './signing.ts';

/** Posts a signed call to a Worker and gives back the response. @throws Error when the Worker refuses it */
export async function callWorker(base: string | URL, type: string, data: unknown): Promise<Response> {
  const timestamp = new Date();
  const body = JSON.stringify({ type, timestamp: timestamp.toISOString(), data });
  const proof = await signedHeaders(body, randomUUID(), Math.floor(timestamp.getTime() / 1000));
  const headers = { 'Content-Type': 'application/json', ...proof };
  return checked(await fetch(new URL('/webhooks', base), { method: 'POST', headers, body }));
}

/** The response. @throws Error with its text when it tells of a fault */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}
