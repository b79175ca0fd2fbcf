import { inject, onTestFinished } from 'vitest';
import type { ParsedMail } from './parse-mail.ts';

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

/** A mail as mailparser reads it, which runs in Node only. */
export async function parseWithMailparser(raw: string): Promise<ParsedMail> {
  const response = await fetch(`${inject('sinks')}/parse`, { method: 'POST', body: bytesOf(raw) });
  if (!response.ok) throw new Error(`mailparser: ${await response.text()}`);
  return response.json();
}

/** Sinks keep a mail as one character per byte. */
export function bytesOf(raw: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(raw, (character) => character.charCodeAt(0));
}

async function ask<T>(path: string, method: string, body?: unknown): Promise<T> {
  const response = await fetch(`${inject('sinks')}/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`the sinks answered ${await response.text()}`);
  return response.json();
}
