import { describe, expect, test } from 'vitest';
import type { Feedback } from '../../src/domain/feedback.ts';
import { resendFeedback } from '../../src/platform/feedback-resend.ts';
import { signedHeaders } from '../support/signing.ts';

const NOW = '2026-06-12T12:00:00Z';
const SECONDS = Date.parse(NOW) / 1000;
const NEWER = `whsec_${btoa('the newer secret of an endpoint!')}`;
const OLDER = `whsec_${btoa('the older secret of an endpoint!')}`;
const FOREIGN = `whsec_${btoa('a secret that nobody here knows!')}`;
const read = resendFeedback([NEWER, OLDER], () => NOW);

/** What Resend posts. @param data fields beside those that every event of a mail has */
function eventOf(type: string, data: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type,
    created_at: '2026-06-12T11:58:03.456Z',
    data: {
      created_at: '2026-06-12T11:57:00.000Z',
      email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
      from: 'Tide Notes <news@news.example>',
      to: ['ada@reader.example'],
      subject: 'News',
      ...data,
    },
  });
}

async function headersOf(
  body: string,
  { id = 'msg_1', seconds = SECONDS, secret = NEWER, prefix = 'svix' } = {},
): Promise<Headers> {
  const headers = Object.entries(await signedHeaders(body, id, seconds, secret));
  return new Headers(headers.map(([name, value]): [string, string] => [name.replace('webhook', prefix), value]));
}

async function readSigned(body: string, options?: Parameters<typeof headersOf>[1]): Promise<Feedback[]> {
  return read(await headersOf(body, options), new TextEncoder().encode(body));
}

const EVENT = {
  id: 'msg_1',
  email: 'ada@reader.example',
  at: '2026-06-12T11:58:03Z',
  detail: '',
  providerId: '56761188-7520-42d8-8898-ff6fc54ce618',
};

describe('events', () => {
  const bounce = (type: string, subType: string) => ({ bounce: { type, subType, message: 'It came back.' } });
  test.each<[string, Record<string, unknown>, Feedback['kind'], string]>([
    ['email.delivered', {}, 'delivered', ''],
    ['email.delivery_delayed', {}, 'delayed', ''],
    ['email.complained', {}, 'complaint', ''],
    ['email.bounced', bounce('Permanent', 'General'), 'hard_bounce', 'Permanent/General: It came back.'],
    ['email.bounced', bounce('Permanent', 'Suppressed'), 'hard_bounce', 'Permanent/Suppressed: It came back.'],
    ['email.bounced', bounce('Transient', 'MailboxFull'), 'soft_bounce', 'Transient/MailboxFull: It came back.'],
    [
      'email.bounced',
      bounce('Undetermined', 'Undetermined'),
      'soft_bounce',
      'Undetermined/Undetermined: It came back.',
    ],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', diagnosticCode: ['smtp; 550 5.1.1 no such user', 'second'] } },
      'hard_bounce',
      'Permanent: smtp; 550 5.1.1 no such user: second',
    ],
    ['email.bounced', {}, 'soft_bounce', ''],
    ['email.failed', { failed: { reason: 'reached_daily_quota' } }, 'soft_bounce', 'reached_daily_quota'],
    [
      'email.suppressed',
      { suppressed: { type: 'OnAccountSuppressionList', message: 'It bounced before.' } },
      'hard_bounce',
      'OnAccountSuppressionList: It bounced before.',
    ],
  ])('%s %j is %s', async (type, data, kind, detail) => {
    expect(await readSigned(eventOf(type, data))).toEqual([{ ...EVENT, kind, detail }]);
  });

  test.each(['email.sent', 'email.opened', 'email.clicked', 'email.scheduled', 'email.received', 'constructor'])(
    '%s is taken and ignored',
    async (type) => {
      expect(await readSigned(eventOf(type))).toEqual([]);
    },
  );

  test.each(['contact.created', 'domain.updated', 'suppression.added'])('%s, which is of no mail', async (type) => {
    expect(await readSigned(JSON.stringify({ type, created_at: NOW, data: { id: '1' } }))).toEqual([]);
  });

  test('several recipients are several events, the same at a repeat', async () => {
    const body = eventOf('email.delivered', { to: ['Ada <ada@reader.example>', 'bob@reader.example'] });
    const events = await readSigned(body);
    expect(events.map(({ id, email }) => [id, email])).toEqual([
      ['msg_1/0', 'ada@reader.example'],
      ['msg_1/1', 'bob@reader.example'],
    ]);
    expect(await readSigned(body)).toEqual(events);
  });

  test('one recipient as a text', async () => {
    expect(await readSigned(eventOf('email.complained', { to: 'ada@reader.example' }))).toEqual([
      { ...EVENT, kind: 'complaint' },
    ]);
  });

  test('without a time of its own it is of now', async () => {
    const [event] = await readSigned(eventOf('email.delivered').replace('"2026-06-12T11:58:03.456Z"', 'null'));
    expect(event?.at).toBe(NOW);
  });
});

describe('the delivery', () => {
  const delivery = { digest: 'weekly', number: 4, revision: 2, subscriberId: 'ada' };
  const tags = { digest: 'weekly', issue: '4', revision: '2', subscriber: 'ada' };
  test.each<[string, Record<string, unknown>, unknown]>([
    ['tags as an object', { tags }, delivery],
    ['tags as a list', { tags: Object.entries(tags).map(([name, value]) => ({ name, value })) }, delivery],
    ['Message-ID', { message_id: '<weekly.4.2.ada@news.example>' }, delivery],
    [
      'tags before a Message-ID of the carrier',
      { tags, message_id: '<0100-abc-000000@eu-west-1.amazonses.com>' },
      delivery,
    ],
    ['tags of a digest in another script', { tags: { ...tags, digest: '44Gt44GT' } }, { ...delivery, digest: 'ねこ' }],
    ['tags of others', { tags: { category: 'welcome' } }, undefined],
    ['tags that are half ours', { tags: { ...tags, issue: 'four' } }, undefined],
    ['none', { tags: null, message_id: null }, undefined],
  ])('%s', async (_, data, expected) => {
    const [event] = await readSigned(eventOf('email.delivered', data));
    expect(event?.delivery).toEqual(expected);
  });
});

describe('proof', () => {
  const body = eventOf('email.delivered');
  test.each([
    ['the older secret', { secret: OLDER }],
    ['the names of Standard Webhooks', { prefix: 'webhook' }],
    ['5 minutes ago', { seconds: SECONDS - 300 }],
    ['5 minutes ahead', { seconds: SECONDS + 300 }],
  ])('accepted: %s', async (_, options) => {
    expect(await readSigned(body, options)).toHaveLength(1);
  });

  test.each([
    ['another secret', { secret: FOREIGN }, 'svix-signature matches none'],
    ['stale', { seconds: SECONDS - 301 }, 'svix-timestamp must be within 300 seconds'],
    ['too early', { seconds: SECONDS + 301 }, 'svix-timestamp must be within 300 seconds'],
    ['no id', { id: '' }, 'svix-id must have'],
  ])('refused: %s', async (_, options, message) => {
    await expect(readSigned(body, options)).rejects.toMatchObject({
      code: 'unproven',
      message: expect.stringContaining(message),
    });
  });

  test('refused: an altered body', async () => {
    const altered = new TextEncoder().encode(body.replace('delivered', 'complained'));
    await expect(read(await headersOf(body), altered)).rejects.toMatchObject({ code: 'unproven' });
  });

  test('refused: no headers', async () => {
    await expect(read(new Headers(), new TextEncoder().encode(body))).rejects.toMatchObject({ code: 'unproven' });
  });

  test('refused: headers of both names mixed', async () => {
    const headers = await headersOf(body);
    headers.set('webhook-id', headers.get('svix-id') ?? '');
    headers.delete('svix-id');
    await expect(read(headers, new TextEncoder().encode(body))).rejects.toMatchObject({ code: 'unproven' });
  });

  test('refused: no secret at all', async () => {
    const closed = resendFeedback([], () => NOW);
    await expect(closed(await headersOf(body), new TextEncoder().encode(body))).rejects.toMatchObject({
      code: 'unproven',
    });
  });
});

test.each([
  ['no JSON', 'hello', 'The body must be JSON'],
  ['no object', '7', 'Nothing was recorded'],
  ['no recipients', eventOf('email.bounced', { to: undefined }), 'Nothing was recorded'],
  ['no id of the mail', eventOf('email.bounced', { email_id: 7 }), 'Nothing was recorded'],
])('proven, but %s', async (_, body, message) => {
  await expect(readSigned(body)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(message) });
});
