import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { MOST_TRIES } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import type { OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { answering, recordingTransport, type TestApp, withSession } from '../support/app.ts';
import {
  balance,
  DUE,
  deliveries,
  ledger,
  namesOf,
  planned,
  sharing,
  stopAfter,
  stopBefore,
  sweep,
  workThrough,
} from '../support/newsroom.ts';

const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
const LOST: SendResult = { status: 'unknown', error: 'no reply to the mail: the connection was closed' };

/** With a configuration that says what to do with mails that may have been accepted. */
async function plannedOver(unknown: 'retry' | 'hold', names: string[]): Promise<TestApp> {
  const vars = {
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
    MAIL_DOMAIN: 'news.example',
    MAIL_UNKNOWN: unknown,
  };
  return planned(names, { vars });
}

/** The transport, when it cannot tell a repeat. */
const forgetful = (transport: TestApp['deps']['transport']) => ({ ...transport, recognisesRepeats: false });

describe('a mail that may have been accepted', () => {
  test('goes to a carrier that recognises repeats with the same key and the same mails', async () => {
    const app = await planned(['ada', 'bea', 'cid', 'dee']);
    const calls: { key: string; mails: OutgoingMail[] }[] = [];
    app.deps.transport = withSession((session) => ({
      ...session,
      async send(mails, key) {
        calls.push({ key, mails });
        const lost = calls.length === 1;
        return mails.map(({ to }) => (lost && !to.startsWith('cid') ? LOST : { status: 'sent' }));
      },
    }));
    // Only three of the four are due at first.
    await env.DB.prepare(`UPDATE delivery SET retryAt = ? WHERE subscriberId = 'dee'`).bind(shift(DUE, 20)).run();
    // However the dice fall, what has one key is put off to one time.
    let throws = 0;
    app.deps.random = () => {
      throws += 0.3;
      return throws % 1;
    };
    await workThrough(app);
    const [first, ...rest] = calls;
    const again = rest.filter(({ key }) => key === first?.key);
    expect(again.map(({ mails }) => mails)).toEqual([first?.mails.filter(({ to }) => !to.startsWith('cid'))]);
    expect(rest.filter(({ key }) => key !== first?.key).map(({ mails }) => namesOf(mails))).toEqual([['dee']]);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 4 } });
  });

  test('is not sent again when the carrier knew its key for other mails', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = answering(LOST, { ...LOST, error: '409 other content', changed: true });
    app.deps.transport = transport;
    await workThrough(app);
    await sweep(app);
    expect(sent).toHaveLength(2);
    expect(await ledger('error')).toEqual({ ada: { status: 'unknown', error: '409 other content' } });
    expect(app.buried).toMatchObject([{ subscriberId: 'ada', status: 'unknown' }]);
  });

  test('is sent again as the same message where MAIL_UNKNOWN is retry', async () => {
    const app = await plannedOver('retry', ['ada']);
    const { sent, transport } = answering(LOST, { status: 'sent' });
    app.deps.transport = forgetful(transport);
    await app.work();
    expect(await ledger('error')).toEqual({ ada: { status: 'queued', error: LOST.error } });
    await workThrough(app);
    expect(sent.map(({ messageId }) => messageId)).toEqual(Array(2).fill('<weekly.1.1.ada@news.example>'));
    expect(sent[1]?.raw).toBe(sent[0]?.raw);
    expect(await ledger('attempts', 'error')).toEqual({ ada: { status: 'sent', attempts: 2, error: LOST.error } });
  });

  test('is unknown in the end when every answer is lost', async () => {
    const app = await plannedOver('retry', ['ada']);
    const { sent, transport } = answering(LOST);
    app.deps.transport = forgetful(transport);
    await workThrough(app);
    expect(sent).toHaveLength(MOST_TRIES);
    expect(await ledger('error')).toEqual({ ada: { status: 'unknown', error: LOST.error } });
    expect(app.buried).toHaveLength(1);
  });

  test('is never sent again where MAIL_UNKNOWN is hold, and its row says why', async () => {
    const app = await plannedOver('hold', ['ada', 'bea']);
    const { sent, transport } = recordingTransport(({ to }) => (to.startsWith('ada') ? LOST : { status: 'sent' }));
    app.deps.transport = forgetful(transport);
    expect(await workThrough(app)).toEqual([]);
    await sweep(app);
    await sweep(app);
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
    expect(await ledger('attempts', 'error')).toEqual({
      ada: { status: 'unknown', attempts: 1, error: LOST.error },
      bea: { status: 'sent', attempts: 1, error: null },
    });
    expect(await balance(app)).toMatchObject({
      status: 'sent',
      audience: 2,
      deliveries: { sent: 1, unknown: 1 },
      reasons: [{ status: 'unknown', reason: LOST.error, count: 1 }],
    });
    expect(app.buried).toEqual([
      { kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'unknown', error: LOST.error },
    ]);
  });

  test('is sent again all the same, hold or not, by a carrier that recognises repeats', async () => {
    const vars = {
      MAIL_TRANSPORT: 'resend',
      RESEND_API_KEY: 're_1',
      MAIL_DOMAIN: 'news.example',
      MAIL_UNKNOWN: 'hold',
    };
    const app = await planned(['ada'], { vars });
    const { sent, keys, transport } = answering(LOST, { status: 'sent' });
    app.deps.transport = transport;
    await workThrough(app);
    expect(sent).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });
});

describe('a consumer that dies', () => {
  const STOPPED = 'the sender stopped before it could record what became of the mail';
  const dying = [
    ['before it sends', stopBefore, 1],
    ['after it sent', stopAfter, 2],
  ] as const;

  test.each(dying)(
    '%s is followed by another, with the same message, where MAIL_UNKNOWN is retry',
    async (_, stop, times) => {
      const app = await plannedOver('retry', ['ada']);
      const { sent, transport } = recordingTransport();
      app.deps.transport = forgetful(sharing(transport, (session) => stop(session, 'send')));
      await app.work();
      expect(await ledger('leasedUntil')).toEqual({ ada: { status: 'sending', leasedUntil: shift(DUE, 300) } });
      await sweep(app);
      expect(sent.map(({ messageId }) => messageId)).toEqual(Array(times).fill('<weekly.1.1.ada@news.example>'));
      expect(await ledger('attempts', 'error')).toEqual({ ada: { status: 'sent', attempts: 2, error: STOPPED } });
    },
  );

  test.each(dying)('%s leaves the mail unknown where MAIL_UNKNOWN is hold', async (_, stop, times) => {
    const app = await plannedOver('hold', ['ada', 'bea']);
    const { sent, transport } = recordingTransport();
    app.deps.transport = {
      ...forgetful(sharing(transport, (session) => stop(session, 'send'))),
      batchSize: 1,
    };
    await app.work();
    await sweep(app);
    await sweep(app);
    expect(await ledger('attempts', 'error')).toEqual({
      ada: { status: 'unknown', attempts: 1, error: STOPPED },
      bea: { status: 'sent', attempts: 1, error: null },
    });
    expect(sent.filter(({ to }) => to.startsWith('ada'))).toHaveLength(times - 1);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 2, deliveries: { sent: 1, unknown: 1 } });
  });

  test('again and again leaves the mail unknown after the last try', async () => {
    const app = await plannedOver('retry', ['ada']);
    const { sent, transport } = recordingTransport();
    app.deps.transport = forgetful(
      sharing(transport, (session) => {
        let next = session;
        for (let time = 0; time < MOST_TRIES + 2; time += 1) next = stopAfter(next, 'send');
        return next;
      }),
    );
    await app.work();
    for (let time = 0; time < MOST_TRIES + 2; time += 1) await sweep(app);
    expect(sent).toHaveLength(MOST_TRIES);
    expect(await ledger('attempts', 'error')).toEqual({
      ada: { status: 'unknown', attempts: MOST_TRIES, error: STOPPED },
    });
  });

  test('is heard all the same when it was only slow: an acceptance is the truth', async () => {
    const app = await plannedOver('hold', ['ada']);
    const { transport } = recordingTransport();
    app.deps.transport = forgetful(
      withSession(
        (session) => ({
          ...session,
          async send(mails, key) {
            app.clock.now = shift(app.clock.now, 400);
            const page = { issue: ISSUE, page: { after: '', through: 'ada' } };
            const lease = { at: app.clock.now, until: shift(app.clock.now, 300), limit: 9, batch: 'b' };
            expect(await app.deps.deliveries.lease(page, lease)).toEqual([]);
            expect(await deliveries()).toEqual({ ada: 'unknown' });
            return session.send(mails, key);
          },
        }),
        transport,
      ),
    );
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });
});
