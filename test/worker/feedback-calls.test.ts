import { describe, expect, test } from 'vitest';
import { feedbackReaders } from '../../src/platform/feedback-readers.ts';
import type { TestApp } from '../support/app.ts';
import { snapshot } from '../support/database.ts';
import {
  ADMIN,
  amazon,
  cloudflareEvent,
  counts,
  EVENTS_QUEUE,
  type Event,
  history,
  listen,
  mailed,
  postResend,
  postSes,
  queued,
  resendBody,
  SECRET,
  sesEvent,
} from '../support/feedback.ts';
import { DUE, deliveries, newsroom, stopBefore } from '../support/newsroom.ts';
import { TEST_SECRETS } from '../support/secrets.ts';
import { snsSigner, TOPIC } from '../support/sns.ts';

describe('refused, and nothing is stored', () => {
  const FOREIGN = `whsec_${btoa('a secret that nobody here knows!')}`;
  const event: Event = { kind: 'hard_bounce', to: 'ada' };

  async function refused(app: TestApp, response: Response, status: number, detail: string): Promise<void> {
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect(app.logged).toEqual([]);
  }

  test.each<[string, number, string, (app: TestApp) => Promise<Response>]>([
    ['resend by another secret', 401, 'svix-signature', (app) => postResend(app, resendBody(app, event), 'e', FOREIGN)],
    [
      'resend by the secret of publishing',
      401,
      'svix-signature',
      (app) => postResend(app, resendBody(app, event), 'e', TEST_SECRETS.WEBHOOK_SECRETS.split(',')[0]),
    ],
    [
      'resend unsigned',
      401,
      'not proven',
      (app) => app.fetch('/webhooks/mail/resend', { method: 'POST', body: resendBody(app, event) }),
    ],
    [
      'resend with the admin token',
      401,
      'not proven',
      (app) => app.fetch('/webhooks/mail/resend', { method: 'POST', headers: ADMIN, body: resendBody(app, event) }),
    ],
    ['resend, no JSON', 422, 'must be JSON', (app) => postResend(app, 'hello')],
    [
      'ses by another key',
      401,
      'Signature does not match',
      async (app) => {
        const stranger = await snsSigner();
        return postSes(
          app,
          await stranger.sign({ Message: JSON.stringify(sesEvent(app, event)), Timestamp: app.clock.now }),
        );
      },
    ],
    [
      'ses of another topic',
      401,
      'TopicArn',
      async (app) => postSes(app, await (await amazon()).sign({ TopicArn: `${TOPIC}2`, Timestamp: app.clock.now })),
    ],
    ['ses, no message', 422, 'no message', (app) => postSes(app, {})],
    [
      'smtp, which tells nothing',
      404,
      'Configured: resend, ses.',
      (app) => app.fetch('/webhooks/mail/smtp', { method: 'POST', body: '{}' }),
    ],
    [
      'a name that every object has',
      404,
      'Configured: resend, ses.',
      (app) => app.fetch('/webhooks/mail/constructor', { method: 'POST', body: '{}' }),
    ],
    ['too large, as announced', 413, '262144 bytes', (app) => postResend(app, ' '.repeat(256 * 1024 + 1))],
    [
      'too large, in a stream',
      413,
      '262144 bytes',
      (app) =>
        app.fetch('/webhooks/mail/resend', { method: 'POST', body: new Blob([' '.repeat(256 * 1024 + 1)]).stream() }),
    ],
  ])('%s: %i', async (_, status, detail, call) => {
    const app = await newsroom();
    await listen(app);
    const before = await snapshot();
    await refused(app, await call(app), status, detail);
    expect(await snapshot()).toEqual(before);
  });

  test('where no carrier is configured', async () => {
    const app = await newsroom();
    await refused(app, await postResend(app, '{}'), 404, 'Configured: none.');
  });

  test('a method other than POST', async () => {
    const response = await (await newsroom()).fetch('/webhooks/mail/resend');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test.each<[Parameters<typeof feedbackReaders>[0], string[]]>([
  [{ resendWebhookSecrets: [] }, []],
  [{ resendWebhookSecrets: [SECRET] }, ['resend']],
  [{ resendWebhookSecrets: [], sesTopicArn: TOPIC }, ['ses']],
  [{ resendWebhookSecrets: [SECRET], sesTopicArn: TOPIC }, ['resend', 'ses']],
])('readers of %j', (settings, names) => {
  expect([
    ...feedbackReaders(
      settings,
      () => DUE,
      () => undefined,
    ).keys(),
  ]).toEqual(names);
});

test('ses: version 1 of its signatures is taken too, and the bytes of the event are those that were signed', async () => {
  const app = await mailed(['ada']);
  const Message = JSON.stringify(sesEvent(app, { kind: 'hard_bounce', to: 'ada' }), null, 2);
  const message = await (await amazon()).sign({ Message, Timestamp: app.clock.now, SignatureVersion: '1' });
  expect((await postSes(app, message)).status).toBe(204);
  expect(await deliveries()).toEqual({ ada: 'bounced' });
});

describe('the queue of events', () => {
  test('what is no event, or of no address, is logged without addresses at most, and the others are taken', async () => {
    const app = await mailed(['ada', 'bea']);
    const result = await queued(app, EVENTS_QUEUE, [
      'hello',
      null,
      { type: 'cf.email.sending.message.opened', payload: {} },
      cloudflareEvent(app, { kind: 'hard_bounce', to: 'no address@@reader.example', providerId: 'carrier-9' }),
      cloudflareEvent(app, { kind: 'complaint', to: 'ada' }),
      cloudflareEvent(app, { kind: 'hard_bounce', to: 'bea' }),
    ]);
    expect(result).toMatchObject({ ackAll: true, retryMessages: [] });
    expect((await history(app, 'ada')).suppression?.reason).toBe('complaint');
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'bounced' });
    expect(app.logged.map(({ message }) => message)).toEqual(['a carrier reports on what is no address']);
    expect(JSON.stringify(app.logged)).not.toContain('reader.example');
  });

  test('a batch that cannot be stored is not acknowledged; again, it is taken', async () => {
    const app = await mailed(['ada', 'bea']);
    const batch = ['ada', 'bea'].map((to) => cloudflareEvent(app, { kind: 'hard_bounce', to }));
    app.deps.feedback = stopBefore(app.deps.feedback, 'record');
    await expect(queued(app, EVENTS_QUEUE, batch)).rejects.toThrow('stopped before record');
    await queued(app, EVENTS_QUEUE, batch);
    expect(await deliveries()).toEqual({ ada: 'bounced', bea: 'bounced' });
    expect(await counts()).toMatchObject({ bounced: 2 });
  });
});
