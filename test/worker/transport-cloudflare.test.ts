import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { MailFields, MailSession, OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { cloudflareTransportWith } from '../../src/platform/transport-cloudflare.ts';
import { fieldsTemplate, fillFields } from '../../src/render/mail/fields.ts';
import { composeMail } from '../../src/render/mail/mime.ts';

const OUTBOX = { add: async () => undefined };
const FIELDS: MailFields = {
  from: { name: 'Häfen, Briefe & Co.', email: 'post@harbour.example' },
  replyTo: 'desk@harbour.example',
  subject: 'Gales – “calm” & <b>',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'Message-ID': '<confirm-1@harbour.example>', 'Auto-Submitted': 'auto-generated' },
};

function mail(n: number, fields: Partial<MailFields> = {}): OutgoingMail {
  return {
    id: `confirm-${n}`,
    kind: 'notice',
    from: 'post@harbour.example',
    to: `reader${n}@readers.example`,
    subject: FIELDS.subject,
    messageId: `<confirm-${n}@harbour.example>`,
    raw: '',
    fields: { ...FIELDS, ...fields },
  };
}

const mails = (count: number) => Array.from({ length: count }, (_, index) => mail(index + 1));

function sessionWith(binding: unknown, timeoutMilliseconds = 5_000): MailSession {
  const build = cloudflareTransportWith({ timeoutMilliseconds })({ EMAIL: binding }, (name, allowed) => {
    throw new Error(`${name} ${allowed}`);
  });
  if (!build) throw new Error('no transport was built');
  return build({ outbox: OUTBOX, now: () => '2026-05-05T06:00:00Z' }).open();
}

type Message = Record<string, unknown>;

/** A binding that keeps what it is given, and answers as it is told. */
function bindingThat(answer: (message: Message) => Promise<{ messageId: string }>) {
  const taken: Message[] = [];
  const send = (message: Message) => {
    taken.push(message);
    return answer(message);
  };
  return { taken, binding: { send } };
}

const accepting = () => bindingThat(async ({ to }) => ({ messageId: `<1-${to}>` }));
const throwing = (code: string | undefined, message: string) =>
  bindingThat(async () => {
    throw Object.assign(new Error(message), code === undefined ? {} : { code });
  });

describe('the binding of the platform itself', () => {
  test('takes a letter', async () => {
    const session = sessionWith(Reflect.get(env, 'EMAIL'));
    const results = await session.send([mail(1)], 'confirm-1');
    expect(results).toEqual([
      { status: 'sent', providerId: expect.stringMatching(/^[A-Za-z0-9]{36}@harbour\.example$/) },
    ]);
    await session.close();
  });

  test('takes twenty at once, each by itself', async () => {
    const results = await sessionWith(Reflect.get(env, 'EMAIL')).send(mails(20), 'key');
    const ids = results.map((result) => result.status === 'sent' && result.providerId);
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain(false);
  });
});

test('what it is given of a letter', async () => {
  const { binding, taken } = accepting();
  expect(await sessionWith(binding).send([mail(1)], 'key')).toEqual([
    { status: 'sent', providerId: '1-reader1@readers.example' },
  ]);
  expect(taken).toEqual([
    {
      from: { name: 'Häfen, Briefe & Co.', email: 'post@harbour.example' },
      to: 'reader1@readers.example',
      replyTo: 'desk@harbour.example',
      subject: 'Gales – “calm” & <b>',
      html: '<p>Hello</p>',
      text: 'Hello',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Broadside-Message-ID': '<confirm-1@harbour.example>' },
    },
  ]);
});

test('a sender without a name, and no other address for answers', async () => {
  const { binding, taken } = accepting();
  const { replyTo: _, ...fields } = { ...FIELDS, from: { name: '', email: 'post@harbour.example' } };
  await sessionWith(binding).send([{ ...mail(1), fields }], 'key');
  expect(taken[0]).toMatchObject({ from: 'post@harbour.example' });
  expect(taken[0]).not.toHaveProperty('replyTo');
});

test('all headers of a list are among those it takes', async () => {
  const { binding, taken } = accepting();
  const template = await composeMail({
    ...FIELDS,
    date: '2026-05-05T06:00:00Z',
    nonce: '0123456789abcdef',
    slots: [],
    headers: { 'In-Reply-To': '<a@harbour.example>', References: '<a@harbour.example>' },
    list: { id: 'weekly.harbour.example', title: 'Weekly', archiveUrl: 'https://harbour.example/', feedbackId: 'a:b' },
  });
  const values = { to: 'a@b.example', messageId: '<1@harbour.example>', unsubscribe: 'https://harbour.example/u/1' };
  const results = await sessionWith(binding).send(
    [{ ...mail(1), fields: fillFields(await fieldsTemplate(template), values) }],
    'key',
  );
  expect(results).toMatchObject([{ status: 'sent' }]);
  expect(new Set(Object.keys(Object(taken[0]?.headers)))).toEqual(
    new Set([
      'Auto-Submitted',
      'In-Reply-To',
      'List-Archive',
      'List-ID',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
      'Precedence',
      'References',
      'X-Broadside-Message-ID',
    ]),
  );
});

describe('headers', () => {
  test.each(['X-Campaign_ID', 'x-mailer', 'LIST-ID', 'archived-at', 'Content-Language'])(
    '%s is taken',
    async (name) => {
      const { binding, taken } = accepting();
      await sessionWith(binding).send([mail(1, { headers: { [name]: 'value' } })], 'key');
      expect(taken[0]?.headers).toMatchObject({ [name]: 'value' });
    },
  );

  test.each(['message-id', 'Feedback-ID', 'FEEDBACK-ID'])('%s is left out', async (name) => {
    const { binding, taken } = accepting();
    await sessionWith(binding).send([mail(1, { headers: { [name]: 'value' } })], 'key');
    expect(taken[0]?.headers).toEqual({ 'X-Broadside-Message-ID': '<confirm-1@harbour.example>' });
  });

  test.each(['Date', 'Received', 'Sender', 'From', 'DKIM-Signature', 'X-', 'X-a b', `X-${'a'.repeat(99)}`])(
    '%s is refused, and nobody else is kept waiting',
    async (name) => {
      const { binding, taken } = accepting();
      expect(await sessionWith(binding).send([mail(1, { headers: { [name]: 'value' } }), mail(2)], 'key')).toEqual([
        { status: 'failed', error: `header ${name}: Cloudflare Email Service does not take it` },
        { status: 'sent', providerId: '1-reader2@readers.example' },
      ]);
      expect(taken).toHaveLength(1);
    },
  );
});

test.each(['', 'ada', 'ada@a.example,bob@b.example', 'Ada <ada@a.example>', 'ada@a.example\r\nBcc: bob@b.example'])(
  'no call is made for the address %j',
  async (to) => {
    const { binding, taken } = accepting();
    expect(await sessionWith(binding).send([{ ...mail(1), to }], 'key')).toEqual([
      { status: 'failed', error: 'to must be one e-mail address' },
    ]);
    expect(taken).toEqual([]);
  },
);

test('a mail without fields', async () => {
  const { fields: _, ...bare } = mail(1);
  expect(await sessionWith(accepting().binding).send([bare], 'key')).toEqual([
    { status: 'failed', error: 'the mail has no fields' },
  ]);
});

describe('errors', () => {
  const look = 'look at [[send_email]] and at the domain in Email Sending';
  test.each<[string | undefined, string, SendResult]>([
    ['E_RATE_LIMIT_EXCEEDED', 'Too fast', { status: 'limited', error: 'E_RATE_LIMIT_EXCEEDED: Too fast' }],
    [
      'E_DAILY_LIMIT_EXCEEDED',
      'Enough for today',
      { status: 'limited', error: 'E_DAILY_LIMIT_EXCEEDED: Enough for today', retryAfterSeconds: 3600 },
    ],
    [
      'E_SENDER_NOT_VERIFIED',
      'Unknown domain',
      { status: 'limited', error: `${look}: E_SENDER_NOT_VERIFIED: Unknown domain` },
    ],
    [
      'E_SENDER_DOMAIN_NOT_AVAILABLE',
      'Not onboarded',
      { status: 'limited', error: `${look}: E_SENDER_DOMAIN_NOT_AVAILABLE: Not onboarded` },
    ],
    [
      'E_RECIPIENT_NOT_ALLOWED',
      'ada@reader.example is not allowed',
      { status: 'limited', error: `${look}: E_RECIPIENT_NOT_ALLOWED: (address) is not allowed` },
    ],
    [
      undefined,
      'destination address is not a verified address',
      { status: 'limited', error: `${look}: destination address is not a verified address` },
    ],
    [
      'E_RECIPIENT_SUPPRESSED',
      'Recipient is suppressed',
      { status: 'failed', error: 'E_RECIPIENT_SUPPRESSED: Recipient is suppressed' },
    ],
    ['E_DELIVERY_FAILED', '550 No', { status: 'failed', error: 'E_DELIVERY_FAILED: 550 No' }],
    ['E_VALIDATION_ERROR', 'Bad', { status: 'failed', error: 'E_VALIDATION_ERROR: Bad' }],
    ['E_FIELD_MISSING', 'Bad', { status: 'failed', error: 'E_FIELD_MISSING: Bad' }],
    ['E_TOO_MANY_RECIPIENTS', 'Bad', { status: 'failed', error: 'E_TOO_MANY_RECIPIENTS: Bad' }],
    ['E_CONTENT_TOO_LARGE', 'Bad', { status: 'failed', error: 'E_CONTENT_TOO_LARGE: Bad' }],
    [
      'E_HEADER_VALUE_INVALID',
      "Header 'List-Unsubscribe' must contain angle-bracket HTTPS or mailto URI(s).",
      {
        status: 'failed',
        error: "E_HEADER_VALUE_INVALID: Header 'List-Unsubscribe' must contain angle-bracket HTTPS or mailto URI(s).",
      },
    ],
    ['E_HEADER_NOT_ALLOWED', 'Bad', { status: 'failed', error: 'E_HEADER_NOT_ALLOWED: Bad' }],
    ['E_HEADERS_TOO_LARGE', 'Bad', { status: 'failed', error: 'E_HEADERS_TOO_LARGE: Bad' }],
    ['E_INTERNAL_SERVER_ERROR', 'Sorry', { status: 'unknown', error: 'E_INTERNAL_SERVER_ERROR: Sorry' }],
    ['E_SOMETHING_NEW', 'Not allowed', { status: 'unknown', error: 'E_SOMETHING_NEW: Not allowed' }],
    [undefined, 'Network connection lost.', { status: 'unknown', error: 'Network connection lost.' }],
    [undefined, '', { status: 'unknown', error: 'an error without words' }],
    // The code may be left in the message alone.
    [
      undefined,
      'E_RATE_LIMIT_EXCEEDED: Too fast',
      { status: 'limited', error: 'E_RATE_LIMIT_EXCEEDED: E_RATE_LIMIT_EXCEEDED: Too fast' },
    ],
  ])('%s %s', async (code, message, expected) => {
    const { binding } = throwing(code, message);
    expect(await sessionWith(binding).send([mail(1)], 'key')).toEqual([expected]);
  });

  test('what is thrown may be no error at all', async () => {
    const { binding } = bindingThat(() => Promise.reject('gone'));
    expect(await sessionWith(binding).send([mail(1)], 'key')).toEqual([{ status: 'unknown', error: 'gone' }]);
  });

  test('one answer that never comes leaves the others alone', async () => {
    const { binding } = bindingThat(({ to }) =>
      to === 'reader1@readers.example' ? new Promise(() => undefined) : Promise.resolve({ messageId: `<${to}>` }),
    );
    expect(await sessionWith(binding, 50).send(mails(2), 'key')).toEqual([
      { status: 'unknown', error: 'no answer within 0.05 seconds' },
      { status: 'sent', providerId: 'reader2@readers.example' },
    ]);
  });

  test('after a limit no more calls are made', async () => {
    const { binding, taken } = throwing('E_RATE_LIMIT_EXCEEDED', 'Too fast');
    const results = await sessionWith(binding).send(mails(20), 'key');
    expect(results).toHaveLength(20);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['limited']));
    expect(taken).toHaveLength(5);
  });
});

test('five calls are under way at most, and the results are in order', async () => {
  const release: (() => void)[] = [];
  let under = 0;
  let most = 0;
  const { binding } = bindingThat(async ({ to }) => {
    under += 1;
    most = Math.max(most, under);
    await new Promise<void>((resolve) => release.push(resolve));
    under -= 1;
    return { messageId: `<${to}>` };
  });
  const sending = sessionWith(binding).send(mails(12), 'key');
  for (let step = 0; step < 1_000; step += 1) {
    // The later first: order must not depend on the answers'.
    release.pop()?.();
    await Promise.resolve();
  }
  expect(await sending).toEqual(mails(12).map(({ to }) => ({ status: 'sent', providerId: to })));
  expect(most).toBe(5);
});

test.each([undefined, null, 'EMAIL', {}, { send: 'me' }])('%j is no binding', (EMAIL) => {
  const faults: string[] = [];
  const build = cloudflareTransportWith({ timeoutMilliseconds: 1 })({ EMAIL }, (name, allowed) =>
    faults.push(`${name} ${allowed}`),
  );
  expect(build).toBeUndefined();
  expect(faults).toEqual(['EMAIL must be a send_email binding (wrangler.toml, [[send_email]] with name = "EMAIL")']);
});
