import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { AddressHistory } from '../../src/domain/delivery-ports.ts';
import type { Feedback } from '../../src/domain/feedback.ts';
import { milliseconds, shift } from '../../src/domain/time.ts';
import type { OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { consume } from '../../src/jobs.ts';
import { feedbackReaders } from '../../src/platform/feedback-readers.ts';
import { sesFeedback } from '../../src/platform/feedback-ses.ts';
import { recordingTransport, type TestApp } from './app.ts';
import { corrupt } from './database.ts';
import { addReaders, DUE, newsroom, workNext } from './newsroom.ts';
import { TEST_SECRETS } from './secrets.ts';
import { signedHeaders } from './signing.ts';
import { CERTIFICATE_URL, snsSigner, TOPIC, webOf } from './sns.ts';

export const SECRET = `whsec_${btoa('the secret of a mail endpoint!!!')}`;
export const ADMIN = { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` };
export const EVENTS_QUEUE = 'broadside-mail-events';

export type Kind = Feedback['kind'];
export interface Event {
  kind: Kind;
  /** A reader's name, or a whole address. */
  to: string;
  id?: string;
  /** The carrier's id of the mail; by default that which the test's transport answered. */
  providerId?: string;
  /** Hands back our own id of the delivery too. */
  ours?: boolean;
}

let signer: ReturnType<typeof snsSigner> | undefined;
/** Whose messages the reader of SES takes. */
export function amazon() {
  signer ??= snsSigner();
  return signer;
}

export const addressOf = (to: string) => (to.includes('@') ? to : `${to}@reader.example`);
export const providerIdOf = (to: string) => `carrier-${addressOf(to)}`;

/** Lets the carriers of the tests tell the app what became of mails. */
export async function listen(app: TestApp): Promise<void> {
  const { now, log } = app.deps;
  const { fetch } = webOf({ [CERTIFICATE_URL]: (await amazon()).certificate });
  app.deps.feedbackReaders = new Map([
    ...feedbackReaders({ resendWebhookSecrets: [SECRET] }, now, log),
    ['ses', sesFeedback({ topicArn: TOPIC, now, log, fetch })],
  ]);
}

/** An issue that is planned for `names`, with a transport that answers the test's results. */
export async function planned(names: string[], result: (mail: OutgoingMail) => SendResult = accepted) {
  const app = await newsroom({ articles: ['one'] });
  await listen(app);
  const { transport, sent } = recordingTransport(result);
  app.deps.transport = transport;
  await addReaders(names);
  await hashAddresses(app);
  app.clock.now = DUE;
  await app.tick(DUE);
  await workNext(app);
  const recipients = () =>
    sent.map(({ to }) => to.replace('@reader.example', '')).sort((one, other) => one.localeCompare(other));
  return { app, sent, recipients };
}

function accepted({ to }: OutgoingMail): SendResult {
  return { status: 'sent', providerId: providerIdOf(to) };
}

/** Those of `addReaders` are no real hashes, which an address that is reported could be found by. */
async function hashAddresses({ deps }: TestApp): Promise<void> {
  const { results } = await env.DB.prepare('SELECT email FROM subscriber').all<{ email: string }>();
  const hashes = results.map(async ({ email }) => ({ email, hash: await deps.hashes.address(email) }));
  await corrupt(
    `UPDATE subscriber SET addressHash = (
       SELECT value ->> 'hash' FROM json_each(?) WHERE value ->> 'email' = subscriber.email)`,
    JSON.stringify(await Promise.all(hashes)),
  );
}

/** The same, and everybody was sent the issue. */
export async function mailed(names: string[]): Promise<TestApp> {
  const { app } = await planned(names);
  await app.work();
  app.clock.now = shift(DUE, 60);
  return app;
}

export const CARRIERS = { resend, ses, cloudflare };

export async function postResend(
  app: TestApp,
  body: string,
  id = crypto.randomUUID(),
  secret = SECRET,
): Promise<Response> {
  const signed = await signedHeaders(body, id, milliseconds(app.clock.now) / 1000, secret);
  const headers = Object.entries(signed).map(([name, value]): [string, string] => [
    name.replace('webhook', 'svix'),
    value,
  ]);
  return app.fetch('/webhooks/mail/resend', { method: 'POST', headers, body });
}

const RESEND_TYPES = {
  delivered: ['email.delivered', {}],
  delayed: ['email.delivery_delayed', {}],
  hard_bounce: ['email.bounced', { bounce: { type: 'Permanent', subType: 'General', message: 'No such user.' } }],
  soft_bounce: ['email.bounced', { bounce: { type: 'Transient', subType: 'MailboxFull', message: 'Full.' } }],
  complaint: ['email.complained', {}],
} as const;

export function resendBody(app: TestApp, { kind, to, providerId = providerIdOf(to), ours }: Event): string {
  const [type, fields] = RESEND_TYPES[kind];
  const tags = ours ? { tags: { digest: 'weekly', issue: '1', revision: '1', subscriber: to } } : {};
  const data = { email_id: providerId, to: [addressOf(to)], ...tags, ...fields };
  return JSON.stringify({ type, created_at: app.clock.now, data });
}

export async function resend(app: TestApp, event: Event): Promise<void> {
  expect((await postResend(app, resendBody(app, event), event.id)).status).toBe(204);
}

export async function postSes(app: TestApp, message: Record<string, string>): Promise<Response> {
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8' };
  return app.fetch('/webhooks/mail/ses', { method: 'POST', headers, body: JSON.stringify(message) });
}

export function sesEvent(app: TestApp, { kind, to, providerId = providerIdOf(to), ours }: Event) {
  const people = [{ emailAddress: addressOf(to), diagnosticCode: 'smtp; 550' }];
  const timestamp = app.clock.now;
  const fields = {
    delivered: { eventType: 'Delivery', delivery: { recipients: [addressOf(to)], timestamp } },
    delayed: {
      eventType: 'DeliveryDelay',
      deliveryDelay: { delayType: 'MailboxFull', delayedRecipients: people, timestamp },
    },
    hard_bounce: { eventType: 'Bounce', bounce: { bounceType: 'Permanent', bouncedRecipients: people, timestamp } },
    soft_bounce: { eventType: 'Bounce', bounce: { bounceType: 'Transient', bouncedRecipients: people, timestamp } },
    complaint: { eventType: 'Complaint', complaint: { complainedRecipients: people, timestamp } },
  }[kind];
  const headers = ours ? { headers: [{ name: 'Message-ID', value: `<weekly.1.1.${to}@news.example>` }] } : {};
  return { ...fields, mail: { messageId: providerId, ...headers } };
}

export async function ses(app: TestApp, event: Event): Promise<void> {
  const { id: MessageId = crypto.randomUUID() } = event;
  const Message = JSON.stringify(sesEvent(app, event));
  const message = await (await amazon()).sign({ Message, MessageId, Timestamp: app.clock.now });
  expect((await postSes(app, message)).status).toBe(204);
}

const CLOUDFLARE_TYPES = {
  delivered: ['delivered', {}],
  delayed: ['deferred', { bounce: { type: 'soft', reason: 'Busy.' } }],
  hard_bounce: ['bounced', { bounce: { type: 'hard', classification: 'permanent_failure', reason: 'No such user.' } }],
  soft_bounce: ['bounced', { bounce: { type: 'soft', classification: 'temporary_failure', reason: 'Full.' } }],
  complaint: ['complained', { complaint: { type: 'abuse' } }],
} as const;

export function cloudflareEvent(
  app: TestApp,
  { kind, to, id = crypto.randomUUID(), providerId = providerIdOf(to) }: Event,
) {
  const [type, fields] = CLOUDFLARE_TYPES[kind];
  return {
    type: `cf.email.sending.message.${type}`,
    payload: { eventId: id, messageId: providerId, recipient: addressOf(to), ...fields },
    metadata: { eventTimestamp: app.clock.now },
  };
}

export async function cloudflare(app: TestApp, event: Event): Promise<void> {
  expect(await queued(app, EVENTS_QUEUE, [cloudflareEvent(app, event)])).toMatchObject({ ackAll: true });
}

/** Hands messages of a queue to the consumer. */
export async function queued(app: TestApp, queue: string, bodies: unknown[]) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(0), attempts: 1, body }));
  const batch = createMessageBatch(queue, messages);
  await consume(app.deps, batch);
  return getQueueResult(batch, createExecutionContext());
}

/** What an operator is told of an address. */
export async function history(app: TestApp, to: string): Promise<AddressHistory> {
  const path = `/api/v1/subscribers/deliveries?email=${encodeURIComponent(addressOf(to))}`;
  return (await app.fetch(path, { headers: ADMIN })).json();
}

export async function counts() {
  return env.DB.prepare('SELECT mailed, bounced, complained FROM issue').first();
}

/** Time for every lease and pause to end, and for the sweep to find what was left. */
export async function later(app: TestApp): Promise<void> {
  app.clock.now = shift(app.clock.now, 8000);
  await app.tick(app.clock.now);
  app.jobs.push(...app.delayed.splice(0));
  await app.work();
}
