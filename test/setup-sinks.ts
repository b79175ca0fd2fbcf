import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { parsedMail } from './support/parse-mail.ts';
import { resendSink } from './support/sink-resend.ts';
import { smtpSink } from './support/sink-smtp.ts';

/** A server on loopback that stands in for a mail carrier, does what its script says, and keeps a log. */
export interface Sink {
  port: number;
  log(): unknown;
  close(): Promise<void>;
}

const KINDS: Record<string, (script: never) => Promise<Sink>> = { smtp: smtpSink, resend: resendSink };

/**
 * Carriers run in Node, tests in workerd: a control server opens, reads and closes them for `support/sinks.ts`, so that
 * each test has a carrier of its own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sinks = new Map<string, Sink>();
  const control = createServer(async (request, response) => {
    const answer = await handle(sinks, request).catch((error: unknown) => ({ error: String(error) }));
    response.writeHead('error' in Object(answer) ? 500 : 200).end(JSON.stringify(answer ?? null));
  });
  await new Promise<void>((listening) => control.listen(0, '127.0.0.1', listening));
  project.provide('faults', process.env.FAULTS ?? '');
  project.provide('sinks', `http://127.0.0.1:${(control.address() as AddressInfo).port}`);
  return async () => {
    await Promise.all([...sinks.values()].map((sink) => sink.close()));
    control.closeAllConnections();
    await new Promise((closed) => control.close(closed));
  };
}

async function handle(sinks: Map<string, Sink>, request: IncomingMessage): Promise<unknown> {
  const name = (request.url ?? '').slice(1);
  if (name === 'parse') return parsedMail(await buffer(request));
  if (request.method === 'POST') {
    const open = KINDS[name];
    if (!open) throw new Error(`no sink is called ${name}`);
    const sink = await open((await json(request)) as never);
    sinks.set(String(sink.port), sink);
    return { port: sink.port };
  }
  const sink = sinks.get(name);
  if (!sink) throw new Error(`no sink has the port ${name}`);
  if (request.method === 'GET') return sink.log();
  sinks.delete(name);
  await sink.close();
  return undefined;
}

declare module 'vitest' {
  export interface ProvidedContext {
    sinks: string;
    /** Seeds to replay: test/worker/delivery-faults.test.ts. */
    faults: string;
  }
}
