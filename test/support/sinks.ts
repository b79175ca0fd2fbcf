import { inject, onTestFinished } from 'vitest';

/** A carrier on loopback, opened for one test. `Log` is what its kind keeps. */
export interface OpenSink<Log> {
  port: number;
  log(): Promise<Log>;
}

/** Opens a carrier that does what the script says; it is closed when the test ends. */
export async function openSink<Log>(kind: 'smtp' | 'resend', script: unknown): Promise<OpenSink<Log>> {
  const { port } = await ask<{ port: number }>(kind, 'POST', script);
  onTestFinished(() => ask<void>(String(port), 'DELETE'));
  return { port, log: () => ask<Log>(String(port), 'GET') };
}

async function ask<T>(path: string, method: string, body?: unknown): Promise<T> {
  const response = await fetch(`${inject('sinks')}/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`the sinks answered ${await response.text()}`);
  return response.json();
}
