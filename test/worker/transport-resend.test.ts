import { describe, expect, test } from 'vitest';
import { deliveryKey, deliveryMessageId } from '../../src/domain/delivery.ts';
import type { MailSession, OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { resendTransport, resendTransportWith } from '../../src/platform/transport-resend.ts';
import { fieldsTemplate, fillFields } from '../../src/render/mail/fields.ts';
import { type ComposeInput, composeMail } from '../../src/render/mail/mime.ts';
import { slotMark } from '../../src/render/mail/slots.ts';
import type { ResendLog, ResendScript } from '../support/sink-resend.ts';
import { openSink } from '../support/sinks.ts';

const OUTBOX = { add: async () => undefined };
const issue = { digest: 'weekly', number: 7, revision: 1 };
const subscriber = (n: number) => `0198a5c2-0000-7000-8000-${String(n).padStart(12, '0')}`;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const SENT = { status: 'sent', providerId: UUID };

function mail(n: number, changes: Partial<OutgoingMail> = {}): OutgoingMail {
  const messageId = deliveryMessageId(issue, subscriber(n), 'harbour.example');
  return {
    id: deliveryKey(issue, subscriber(n)),
    kind: 'digest',
    from: 'post@harbour.example',
    to: `reader${n}@readers.example`,
    subject: 'The Week at Sea',
    messageId,
    issue,
    raw: '',
    fields: {
      from: { name: 'Harbour Letters', email: 'post@harbour.example' },
      subject: 'The Week at Sea',
      html: '<p>Hello</p>',
      text: 'Hello',
      headers: { 'Message-ID': messageId },
    },
    ...changes,
  };
}

const mails = (count: number) => Array.from({ length: count }, (_, index) => mail(index + 1));

function sessionAt(url: string, timeoutMilliseconds = 5_000): MailSession {
  const env = { RESEND_API_KEY: 're_123456789', RESEND_URL: url };
  const build = resendTransportWith({ timeoutMilliseconds })(env, (name, allowed) => {
    throw new Error(`${name} ${allowed}`);
  });
  if (!build) throw new Error('no transport was built');
  return build({ outbox: OUTBOX, now: () => '2026-05-05T06:00:00Z' }).open();
}

async function carrierThat(script: ResendScript, timeoutMilliseconds?: number) {
  const sink = await openSink<ResendLog>('resend', script);
  return { ...sink, session: sessionAt(`http://127.0.0.1:${sink.port}`, timeoutMilliseconds) };
}

function counts(results: SendResult[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { status } of results) sums[status] = (sums[status] ?? 0) + 1;
  return sums;
}

/** The carrier answers one call so, whatever it holds. */
const answering = (status: number, name: string, message: string, headers: Record<string, string> = {}) => ({
  rules: [{ do: { status, headers, body: { statusCode: status, name, message } } }],
});

const nonce = '0123456789abcdef';
const digest: ComposeInput = {
  from: { name: 'Häfen, Briefe & Co.', email: 'post@harbour.example' },
  replyTo: 'desk@harbour.example',
  subject: 'Gales – “calm” & <b>',
  html: `<p>Hello <a href="${slotMark('unsubscribe', nonce)}">leave</a></p>`,
  text: `Hello ${slotMark('unsubscribe', nonce)}`,
  date: '2026-05-05T06:00:00Z',
  nonce,
  slots: [],
  list: {
    id: 'weekly.harbour.example',
    title: 'Wöchentlich',
    archiveUrl: 'https://harbour.example/issues',
    feedbackId: '7:weekly:digest:broadside',
  },
};

async function composed(n: number, input: ComposeInput = digest): Promise<OutgoingMail> {
  const { to, messageId } = mail(n);
  const values = { to, messageId, unsubscribe: 'https://harbour.example/unsubscribe/abc?a=1&b=2' };
  return mail(n, { fields: fillFields(await fieldsTemplate(await composeMail(input)), values) });
}

test('a digest arrives with all that its receivers and our webhook need', async () => {
  const { session, log } = await carrierThat({});
  expect(await session.send([await composed(1)], 'batch-1')).toEqual([SENT]);
  const { mails: taken, headers } = await log();
  expect(headers[0]).toMatchObject({
    authorization: 'Bearer re_123456789',
    'content-type': 'application/json',
    'idempotency-key': 'batch-1',
    'user-agent': 'broadside',
    'x-batch-validation': 'permissive',
  });
  const id = deliveryMessageId(issue, subscriber(1), 'harbour.example');
  expect(taken).toEqual([
    {
      to: 'reader1@readers.example',
      key: 'batch-1',
      messageId: id,
      tags: { digest: 'weekly', issue: '7', revision: '1', subscriber: subscriber(1) },
      payload: {
        from: '"Häfen, Briefe & Co." <post@harbour.example>',
        to: ['reader1@readers.example'],
        reply_to: 'desk@harbour.example',
        subject: 'Gales – “calm” & <b>',
        html: '<p>Hello <a href="https://harbour.example/unsubscribe/abc?a=1&amp;b=2">leave</a></p>\n',
        text: 'Hello https://harbour.example/unsubscribe/abc?a=1&b=2\n',
        headers: {
          'Auto-Submitted': 'auto-generated',
          'Feedback-ID': '7:weekly:digest:broadside',
          'List-Archive': '<https://harbour.example/issues>',
          'List-ID': '=?UTF-8?Q?W=C3=B6chentlich?= <weekly.harbour.example>',
          'List-Unsubscribe': '<https://harbour.example/unsubscribe/abc?a=1&b=2>',
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          Precedence: 'bulk',
          References: id,
        },
        tags: [
          { name: 'digest', value: 'weekly' },
          { name: 'issue', value: '7' },
          { name: 'revision', value: '1' },
          { name: 'subscriber', value: subscriber(1) },
        ],
      },
    },
  ]);
});

test('our id comes last among the references of a reissue', async () => {
  const { session, log } = await carrierThat({});
  const { fields, ...rest } = mail(1);
  const headers = { 'In-Reply-To': '<a@harbour.example>', References: '<a@harbour.example>' };
  await session.send([{ ...rest, ...(fields ? { fields: { ...fields, headers } } : {}) }], 'key');
  const [taken] = (await log()).mails;
  expect(taken?.payload?.headers).toEqual({
    'In-Reply-To': '<a@harbour.example>',
    References: `<a@harbour.example> ${mail(1).messageId}`,
  });
});

test.each([
  ['Harbour Letters', 'Harbour Letters <post@harbour.example>'],
  ['港の手紙', '港の手紙 <post@harbour.example>'],
  ['', 'post@harbour.example'],
  ['A "quay" \\ <x@y.example>', '"A \\"quay\\" \\\\ <x@y.example>" <post@harbour.example>'],
  ['=?utf-8?Q?x?=', '"=?utf-8?Q?x?=" <post@harbour.example>'],
])('the sender %s is one mailbox', async (name, from) => {
  const { session, log } = await carrierThat({});
  const { fields } = mail(1);
  const named = fields && { fields: { ...fields, from: { name, email: 'post@harbour.example' } } };
  expect(await session.send([mail(1, named)], 'key')).toEqual([SENT]);
  expect((await log()).mails[0]?.payload?.from).toBe(from);
});

test.each(['"><script>', 'Ünïcödé 🌊 '.repeat(20).trim(), '=?utf-8?Q?no?= word', '{{{RESEND_UNSUBSCRIBE_URL}}}'])(
  'a title arrives as it is: %s',
  async (title) => {
    const { session, log } = await carrierThat({});
    const list = { id: 'weekly.harbour.example', title, archiveUrl: 'https://harbour.example/', feedbackId: 'a' };
    expect(await session.send([await composed(1, { ...digest, subject: title, list })], 'key')).toEqual([SENT]);
    expect((await log()).mails[0]?.payload?.subject).toBe(title);
  },
);

test.each([
  ['a digest with a name in another script', { ...issue, digest: '週刊' }, '6YCx5YiK'],
  ['a plain one', issue, 'weekly'],
])('tags of %s', async (_, reference, atom) => {
  const { session, log } = await carrierThat({});
  const id = deliveryKey(reference, subscriber(1));
  expect(await session.send([mail(1, { id, issue: reference })], 'key')).toEqual([SENT]);
  expect((await log()).mails[0]?.tags.digest).toBe(atom);
});

test('a letter has no tags, even about an issue', async () => {
  const { session, log } = await carrierThat({});
  await session.send([mail(1, { id: 'approve-weekly-7', kind: 'notice' })], 'approve-weekly-7');
  expect((await log()).mails[0]?.payload).not.toHaveProperty('tags');
});

test('a hundred mails are one call', async () => {
  const { session, log } = await carrierThat({ keep: 'ids' });
  const results = await session.send(mails(100), 'key');
  expect(new Set(results.map((result) => result.status === 'sent' && result.providerId)).size).toBe(100);
  const { requests, mails: taken } = await log();
  expect(requests).toBe(1);
  expect(taken.map(({ to }) => to)).toEqual(mails(100).map(({ to }) => to));
});

test('the same key gives the same answer and no second mail', async () => {
  const { session, log } = await carrierThat({ rules: [{ to: 'reader2@', do: { invalid: true } }] });
  const first = await session.send(mails(3), 'key');
  expect(await session.send(mails(3), 'key')).toEqual(first);
  const { repeats, mails: taken } = await log();
  expect(repeats).toBe(1);
  expect(taken).toHaveLength(2);
});

test('after an answer that was lost, the same key finds the mails sent', async () => {
  const { session, log } = await carrierThat({ rules: [{ nth: 1, do: { close: 'after' } }] });
  expect(counts(await session.send(mails(2), 'key'))).toEqual({ unknown: 2 });
  expect(await session.send(mails(2), 'key')).toEqual([SENT, SENT]);
  expect((await log()).mails).toHaveLength(2);
});

test('while the first call is under way, a second with its key is not known to be taken', async () => {
  const { session, log } = await carrierThat({ rules: [{ nth: 1, do: { hang: true } }] }, 1_000);
  const first = session.send([mail(1)], 'key');
  while ((await log()).requests === 0);
  expect(await session.send([mail(1)], 'key')).toEqual([
    {
      status: 'unknown',
      error:
        '409 concurrent_idempotent_requests: Same idempotency key used while original request is still in progress.',
    },
  ]);
  expect(counts(await first)).toEqual({ unknown: 1 });
});

test('a key used for other mails is told apart', async () => {
  const { session, log } = await carrierThat({});
  await session.send([mail(1)], 'key');
  expect(await session.send([mail(2)], 'key')).toEqual([
    {
      status: 'unknown',
      changed: true,
      error: '409 invalid_idempotent_request: Same idempotency key used with a different request payload.',
    },
  ]);
  expect((await log()).mails).toHaveLength(1);
});

describe('one mail of three is refused', () => {
  const invalidTo = 'Invalid `to` field. The email address needs to follow the (address) or `Name <(address)>` format.';
  test.each([
    ['for its address', true as const, { status: 'failed', bounce: true, error: invalidTo }],
    ['without one', 'The `to` field is missing.', { status: 'failed', error: 'The `to` field is missing.' }],
    ['for another field', 'Invalid `subject` field.', { status: 'failed', error: 'Invalid `subject` field.' }],
    [
      'for what all have in common',
      'Invalid `from` field.',
      {
        status: 'limited',
        error: 'look at RESEND_API_KEY, RESEND_URL, the sender and resend.com/domains: Invalid `from` field.',
      },
    ],
  ])('%s', async (_, invalid, expected) => {
    const { session, log } = await carrierThat({ rules: [{ to: 'reader2@', do: { invalid } }] });
    expect(await session.send(mails(3), 'key')).toEqual([SENT, expected, SENT]);
    const { mails: taken } = await log();
    expect(taken.map(({ to }) => to)).toEqual(['reader1@readers.example', 'reader3@readers.example']);
  });
});

describe('what an answer means for every mail of the call', () => {
  const seeTo = 'look at RESEND_API_KEY, RESEND_URL, the sender and resend.com/domains';
  test.each<[string, ResendScript, SendResult]>([
    [
      'the rate limit',
      answering(429, 'rate_limit_exceeded', 'Too many requests.', { 'retry-after': '2', 'ratelimit-reset': '9' }),
      { status: 'limited', error: '429 rate_limit_exceeded: Too many requests.', retryAfterSeconds: 2 },
    ],
    [
      'the rate limit, with a date',
      answering(429, 'rate_limit_exceeded', 'Too many.', {
        'retry-after': 'Fri, 31 Dec 2027 23:59:59 GMT',
        'ratelimit-reset': '9',
      }),
      { status: 'limited', error: '429 rate_limit_exceeded: Too many.', retryAfterSeconds: 9 },
    ],
    [
      'the rate limit, without a time',
      answering(429, 'rate_limit_exceeded', 'Too many.'),
      { status: 'limited', error: '429 rate_limit_exceeded: Too many.' },
    ],
    [
      'the daily quota',
      answering(429, 'daily_quota_exceeded', 'You have reached your daily email quota.', { 'retry-after': '1' }),
      {
        status: 'limited',
        error: '429 daily_quota_exceeded: You have reached your daily email quota.',
        retryAfterSeconds: 3600,
      },
    ],
    [
      'the monthly quota',
      answering(429, 'monthly_quota_exceeded', 'You have reached your monthly email quota.'),
      {
        status: 'limited',
        error: '429 monthly_quota_exceeded: You have reached your monthly email quota.',
        retryAfterSeconds: 3600,
      },
    ],
    [
      'no key',
      answering(401, 'missing_api_key', 'Missing API Key'),
      { status: 'limited', error: `${seeTo}: 401 missing_api_key: Missing API Key` },
    ],
    [
      'a key that is refused as a field would be',
      answering(400, 'validation_error', 'API key is invalid'),
      { status: 'limited', error: `${seeTo}: 400 validation_error: API key is invalid` },
    ],
    [
      'a domain that is not verified',
      answering(403, 'validation_error', 'The harbour.example domain is not verified.'),
      {
        status: 'limited',
        error: `${seeTo}: 403 validation_error: The harbour.example domain is not verified.`,
      },
    ],
    [
      'a sender that is not allowed',
      answering(422, 'invalid_from_address', 'Invalid `from` field.'),
      { status: 'limited', error: `${seeTo}: 422 invalid_from_address: Invalid \`from\` field.` },
    ],
    [
      'another server',
      answering(404, 'not_found', 'The requested endpoint does not exist.'),
      { status: 'limited', error: `${seeTo}: 404 not_found: The requested endpoint does not exist.` },
    ],
    [
      'a redirect, which the key must not follow',
      { rules: [{ do: { status: 307, headers: { location: 'http://127.0.0.1:1/' } } }] },
      { status: 'limited', error: `${seeTo}: 307` },
    ],
    [
      'a security block',
      answering(451, 'security_error', 'We may have found a security issue with the request.'),
      {
        status: 'limited',
        error: `${seeTo}: 451 security_error: We may have found a security issue with the request.`,
      },
    ],
    [
      'out of service',
      answering(503, 'service_unavailable', 'Try again.', { 'retry-after': '30' }),
      { status: 'deferred', error: '503 service_unavailable: Try again.', retryAfterSeconds: 30 },
    ],
    [
      'an error after which nothing is known',
      answering(500, 'application_error', 'An unexpected\r\nerror occurred.'),
      { status: 'unknown', error: '500 application_error: An unexpected error occurred.' },
    ],
    [
      'a gateway without an answer',
      { rules: [{ do: { status: 502, body: '<html>Bad gateway</html>' } }] },
      { status: 'unknown', error: '502: <html>Bad gateway</html>' },
    ],
    [
      'success in no form that is known',
      { rules: [{ do: { status: 200, body: '<html>Welcome</html>' } }] },
      { status: 'unknown', error: '200 with a body that is no answer to a batch: <html>Welcome</html>' },
    ],
    [
      'success with too few ids to tell whose they are',
      { rules: [{ do: { body: { data: [{ id: 'a' }] } } }] },
      { status: 'unknown', error: '200 with 1 ids for 3 mails' },
    ],
    [
      'success with too many ids',
      { rules: [{ do: { body: { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] } } }] },
      { status: 'unknown', error: '200 with 4 ids for 3 mails' },
    ],
  ])('%s', async (_, script, expected) => {
    const { session, log } = await carrierThat(script);
    expect(await session.send(mails(3), 'key')).toEqual([expected, expected, expected]);
    expect(await log()).toMatchObject({ requests: 1, mails: [] });
  });

  test('an answer that blames one mail, and lists all', async () => {
    const body = { data: [{ id: 'a' }, null, {}], errors: [{ index: 1, message: 'Invalid `text`.' }] };
    const { session } = await carrierThat({ rules: [{ do: { body } }] });
    expect(await session.send(mails(3), 'key')).toEqual([
      { status: 'sent', providerId: 'a' },
      { status: 'failed', error: 'Invalid `text`.' },
      { status: 'unknown', error: '200 with 3 ids for 3 mails' },
    ]);
  });

  test.each<[string, ResendScript]>([
    ['a connection that ends at once', { rules: [{ do: { close: 'before' } }] }],
    ['a server that says nothing', { rules: [{ do: { hang: true } }] }],
  ])('%s', async (_, script) => {
    const { session } = await carrierThat(script, 300);
    const results = await session.send(mails(2), 'key');
    expect(results).toEqual(results.map(() => ({ status: 'unknown', error: expect.stringMatching(/^no answer/) })));
    expect(results).toHaveLength(2);
  });

  test('a server that is not there', async () => {
    expect(counts(await sessionAt('http://127.0.0.1:1').send(mails(2), 'key'))).toEqual({ unknown: 2 });
  });

  test('long words are cut, on one line', async () => {
    const { session } = await carrierThat(answering(500, 'application_error', 'a\n'.repeat(1_000)));
    const [result] = await session.send([mail(1)], 'key');
    if (result?.status !== 'unknown') throw new Error('not unknown');
    expect(result.error.length).toBeLessThanOrEqual(500);
    expect(result.error).toMatch(/^500 application_error: a a a /);
  });
});

describe('a call that is refused as a whole', () => {
  test('is halved until the bad mail stands alone', async () => {
    const { session, log } = await carrierThat({ strict: true, rules: [{ to: 'reader37@', do: { invalid: true } }] });
    const results = await session.send(mails(100), 'key');
    expect(counts(results)).toEqual({ sent: 99, failed: 1 });
    expect(results[36]).toMatchObject({ status: 'failed', bounce: true });
    const { requests, mails: taken } = await log();
    expect(requests).toBeLessThanOrEqual(15);
    expect(new Set(taken.map(({ to }) => to)).size).toBe(99);
    expect(taken).toHaveLength(99);
  });

  test('goes the same way when repeated', async () => {
    const { session, log } = await carrierThat({ strict: true, rules: [{ to: 'reader3@', do: { invalid: true } }] });
    const first = await session.send(mails(8), 'key');
    expect(await session.send(mails(8), 'key')).toEqual(first);
    expect((await log()).mails).toHaveLength(7);
  });

  test('a half whose answer is lost is not to be repeated: the caller knows the key of the whole alone', async () => {
    const rules = [
      { nth: 2, do: { close: 'after' as const } },
      { to: 'reader4@', do: { invalid: true as const } },
    ];
    const { session } = await carrierThat({ strict: true, rules });
    const lost = { status: 'unknown', changed: true, error: expect.stringMatching(/^no answer/) };
    expect(await session.send(mails(4), 'key')).toEqual([
      lost,
      lost,
      SENT,
      expect.objectContaining({ status: 'failed', bounce: true }),
    ]);
  });

  test('is left for later when most of it is bad', async () => {
    const { session, log } = await carrierThat({ strict: true, rules: [{ do: { invalid: 'No.' } }] });
    const results = await session.send(mails(100), 'key');
    const { failed = 0, deferred = 0, ...others } = counts(results);
    expect(others).toEqual({});
    expect(failed).toBeGreaterThan(0);
    expect(deferred).toBe(100 - failed);
    expect(results.at(-1)).toEqual({ status: 'deferred', error: '422 validation_error: No.' });
    expect((await log()).requests).toBe(20);
  });

  test('fails a mail that was alone', async () => {
    const { session, log } = await carrierThat({ strict: true, rules: [{ do: { invalid: 'No.' } }] });
    expect(await session.send([mail(1)], 'key')).toEqual([{ status: 'failed', error: '422 validation_error: No.' }]);
    expect((await log()).requests).toBe(1);
  });
});

describe('never handed over', () => {
  const { fields: _, ...bare } = mail(2);
  test.each([
    ['several addresses in one', mail(2, { to: 'a@readers.example,b@readers.example' }), /^to must be one/],
    ['a name with the address', mail(2, { to: 'Ada <ada@readers.example>' }), /^to must be one/],
    ['no fields', bare, /^the mail has no fields$/],
  ])('%s', async (_, bad, error) => {
    const { session, log } = await carrierThat({});
    expect(await session.send([mail(1), bad, mail(3)], 'key')).toEqual([
      SENT,
      { status: 'failed', error: expect.stringMatching(error) },
      SENT,
    ]);
    expect((await log()).mails).toHaveLength(2);
    expect(counts(await session.send([bad], 'other'))).toEqual({ failed: 1 });
    expect((await log()).requests).toBe(1);
  });
});

describe('the configuration', () => {
  const faultsOf = (env: Record<string, unknown>) => {
    const names: string[] = [];
    const build = resendTransport(env, (name) => names.push(name));
    return { names, built: build !== undefined };
  };
  const RESEND_API_KEY = 're_AbCd1234_efgh';

  test.each([
    ['a key is enough', { RESEND_API_KEY }],
    ['another server', { RESEND_API_KEY, RESEND_URL: 'https://mail.harbour.example' }],
    ['one on this machine', { RESEND_API_KEY, RESEND_URL: 'http://localhost:4000/' }],
  ])('%s', (_, env) => {
    expect(faultsOf(env)).toEqual({ names: [], built: true });
  });

  test.each([
    ['no key', {}, ['RESEND_API_KEY']],
    ['another key', { RESEND_API_KEY: 'SG.abc' }, ['RESEND_API_KEY']],
    ['a key with a line break', { RESEND_API_KEY: 're_abc\n' }, ['RESEND_API_KEY']],
    ['plain text to the network', { RESEND_API_KEY, RESEND_URL: 'http://api.resend.com' }, ['RESEND_URL']],
    ['a path', { RESEND_API_KEY, RESEND_URL: 'https://api.resend.com/emails' }, ['RESEND_URL']],
    ['a login', { RESEND_API_KEY, RESEND_URL: 'https://a:b@api.resend.com' }, ['RESEND_URL']],
    ['no URL', { RESEND_URL: 'api.resend.com' }, ['RESEND_API_KEY', 'RESEND_URL']],
  ])('refused: %s', (_, env, names) => {
    expect(faultsOf(env)).toEqual({ names, built: false });
  });

  test('what it tells the sender of mails', () => {
    const transport = resendTransport({ RESEND_API_KEY }, () => undefined)?.({ outbox: OUTBOX, now: () => '' });
    expect(transport).toMatchObject({ name: 'resend', batchSize: 100, form: 'fields', recognisesRepeats: true });
  });
});
