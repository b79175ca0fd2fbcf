import { expect, onTestFinished, test } from 'vitest';
import type { MailSession, OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { smtpTransport, smtpTransportWith } from '../../src/platform/transport-smtp.ts';
import { composeMail } from '../../src/render/mail/mime.ts';
import { fillMail } from '../../src/render/mail/slots.ts';
import type { SmtpLog, SmtpScript } from '../support/sink-smtp.ts';
import { openSink } from '../support/sinks.ts';

const PATIENT = { connection: 5_000, greeting: 5_000, socket: 5_000, quit: 1_000 };
/** Long enough for a busy machine to come as far as the server's silence. */
const HASTY = { ...PATIENT, greeting: 2_000, socket: 2_000 };
const OUTBOX = { add: async () => undefined };

function mail(n: number, fields: Partial<OutgoingMail> = {}): OutgoingMail {
  const to = fields.to ?? `reader${n}@readers.example`;
  const messageId = `<${n}@harbour.example>`;
  return {
    id: `mail-${n}`,
    kind: 'digest',
    from: 'post@harbour.example',
    to,
    subject: 'The Week at Sea',
    messageId,
    raw: `Message-ID: ${messageId}\r\nSubject: The Week at Sea\r\nTo: ${to}\r\n\r\nGood morning.\r\n`,
    ...fields,
  };
}

const mails = (count: number) => Array.from({ length: count }, (_, index) => mail(index + 1));

/** A session with the server at a URL; it is closed when the test ends. */
function sessionAt(url: string, timeouts = PATIENT): MailSession {
  const build = smtpTransportWith({ timeouts })({ SMTP_URL: url }, (name, allowed) => {
    throw new Error(`${name} ${allowed}`);
  });
  if (!build) throw new Error('no transport was built');
  const session = build({ outbox: OUTBOX, now: () => '2026-05-05T06:00:00Z' }).open();
  onTestFinished(() => session.close());
  return session;
}

async function serverThat(script: SmtpScript, timeouts = PATIENT) {
  const sink = await openSink<SmtpLog>('smtp', script);
  return { ...sink, session: sessionAt(`smtp://127.0.0.1:${sink.port}?tls=off`, timeouts) };
}

async function outcomeOf(script: SmtpScript, timeouts = PATIENT, message = mail(1)): Promise<SendResult | undefined> {
  const { session } = await serverThat(script, timeouts);
  const [result] = await session.send([message], 'key');
  return result;
}

test('the bytes arrive as they are, in the envelope of the mail', async () => {
  const template = await composeMail({
    from: { name: 'Harbour Letters', email: 'post@harbour.example' },
    subject: 'Gales – “calm”',
    html: `<p>${'A long line with ümlauts. '.repeat(40)}</p>\n.\n..\n<p>.</p>`,
    text: `.\n..\n.hidden\n${'Words of the week. '.repeat(4_000)}`,
    date: '2026-05-05T06:00:00Z',
    nonce: '0123456789abcdef',
    slots: [],
  });
  const raw = fillMail(template, { to: 'reader1@readers.example', messageId: '<1@harbour.example>' });
  const { session, log } = await serverThat({});
  expect(await session.send([mail(1, { raw })], 'key')).toEqual([{ status: 'sent' }]);
  const { messages, names } = await log();
  expect(raw.length).toBeGreaterThan(65_536);
  expect(raw).toContain('\r\n.');
  expect(messages).toEqual([
    {
      at: 1,
      from: 'post@harbour.example',
      to: ['reader1@readers.example'],
      raw,
      messageId: '<1@harbour.example>',
      tls: false,
      heard: true,
    },
  ]);
  expect(names).toEqual(['harbour.example']);
});

test.each([
  ['.\r\n'],
  ['.\r\n.\r\n..\r\n'],
  ['x\r\n.\r\nRCPT TO:<other@readers.example>\r\n'],
  ['no end of line'],
  [''],
])('a body of %j stays one message', async (body) => {
  const raw = `Message-ID: <1@harbour.example>\r\n\r\n${body}`;
  const { session, log } = await serverThat({});
  expect(await session.send([mail(1, { raw })], 'key')).toEqual([{ status: 'sent' }]);
  const [message, ...more] = (await log()).messages;
  expect(message?.raw).toBe(raw.endsWith('\r\n') ? raw : `${raw}\r\n`);
  expect(more).toEqual([]);
});

test('a megabyte, more than any buffer on the way', async () => {
  const raw = `Message-ID: <1@harbour.example>\r\n\r\n${`.${'x'.repeat(74)}\r\n`.repeat(14_000)}`;
  const { session, log } = await serverThat({});
  expect(await session.send([mail(1, { raw })], 'key')).toEqual([{ status: 'sent' }]);
  expect((await log()).messages[0]?.raw === raw).toBe(true);
});

test.each([{}, { without: ['PIPELINING'] } satisfies SmtpScript])(
  'connections are few, and used again: %j',
  async (script) => {
    const { session, log } = await serverThat(script);
    for (let batch = 0; batch < 3; batch += 1) {
      expect(await session.send(mails(20), `key-${batch}`)).toEqual(Array(20).fill({ status: 'sent' }));
    }
    const { connections, acceptedCount } = await log();
    expect(acceptedCount).toBe(60);
    expect(connections).toBe(5);
  },
);

test('one mail needs one connection', async () => {
  const { session, log } = await serverThat({});
  await session.send(mails(1), 'key');
  expect((await log()).connections).toBe(1);
});

test('close says goodbye, twice without harm', async () => {
  const { session, log } = await serverThat({});
  await session.send(mails(20), 'key');
  await session.close();
  await session.close();
  expect((await log()).quits).toBe(5);
});

test('close without a mail opens nothing', async () => {
  const { session, log } = await serverThat({});
  await session.close();
  expect(await session.send([], 'key')).toEqual([]);
  expect((await log()).connections).toBe(0);
});

test('a server that allows fewer connections gets fewer', async () => {
  const { session, log } = await serverThat({ maxConnections: 2 });
  expect(await session.send(mails(20), 'key')).toEqual(Array(20).fill({ status: 'sent' }));
  expect((await log()).acceptedCount).toBe(20);
});

test.each<[SmtpScript['rules'], SendResult]>([
  [
    [{ at: 'accepted', do: { reply: '250 Ok 0100018b5c3c0a4f-2d5a-000000' } }],
    { status: 'sent', providerId: '0100018b5c3c0a4f-2d5a-000000' },
  ],
  [
    [{ at: 'accepted', do: { reply: '250 2.0.0 Ok: queued as 4VxYzT1abc' } }],
    { status: 'sent', providerId: '4VxYzT1abc' },
  ],
  [
    [{ at: 'rcpt', do: { reply: '550 5.1.1 no such user' } }],
    { status: 'failed', error: '550 5.1.1 no such user', bounce: true },
  ],
  [[{ at: 'rcpt', do: { reply: '550 no such user' } }], { status: 'failed', error: '550 no such user', bounce: true }],
  [[{ at: 'rcpt', do: { reply: '550 5.7.1 blocked' } }], { status: 'failed', error: '550 5.7.1 blocked' }],
  [[{ at: 'rcpt', do: { reply: '450 4.2.0 greylisted' } }], { status: 'deferred', error: '450 4.2.0 greylisted' }],
  [[{ at: 'rcpt', do: { reply: '421 4.7.0 busy', close: true } }], { status: 'limited', error: '421 4.7.0 busy' }],
  [[{ at: 'mail', do: { reply: '550 no such user' } }], { status: 'failed', error: '550 no such user' }],
  [
    [{ at: 'mail', do: { reply: '530 5.7.0 Authentication required' } }],
    { status: 'limited', error: '530 5.7.0 Authentication required' },
  ],
  [[{ at: 'mail', do: { reply: '451 4.3.0 try later' } }], { status: 'deferred', error: '451 4.3.0 try later' }],
  [
    [{ at: 'mail', do: { reply: '454 Throttling failure: Maximum sending rate exceeded' } }],
    { status: 'limited', error: '454 Throttling failure: Maximum sending rate exceeded' },
  ],
  [
    [{ at: 'data', do: { reply: '554 5.5.1 no valid recipients' } }],
    { status: 'failed', error: '554 5.5.1 no valid recipients' },
  ],
  [[{ at: 'data', do: { reply: '451 4.3.0 not now' } }], { status: 'deferred', error: '451 4.3.0 not now' }],
  [[{ at: 'accepted', do: { reply: '554 5.7.1 spam' } }], { status: 'failed', error: '554 5.7.1 spam' }],
  [[{ at: 'accepted', do: { reply: '552 5.3.4 too big' } }], { status: 'failed', error: '552 5.3.4 too big' }],
  [
    [{ at: 'accepted', do: { reply: '550 5.1.1 unknown' } }],
    { status: 'failed', error: '550 5.1.1 unknown', bounce: true },
  ],
  [[{ at: 'accepted', do: { reply: '451 4.7.1 slow down' } }], { status: 'limited', error: '451 4.7.1 slow down' }],
  [
    [{ at: 'accepted', do: { reply: '452 4.2.2 mailbox full' } }],
    { status: 'deferred', error: '452 4.2.2 mailbox full' },
  ],
])('a server with %j: %j', async (rules = [], expected) => {
  expect(await outcomeOf({ rules })).toEqual(expected);
  expect(await outcomeOf({ rules, without: ['PIPELINING'] })).toEqual(expected);
});

test.each<[SmtpScript['rules'], SendResult['status']]>([
  [[{ at: 'connect', do: { close: true } }], 'limited'],
  [[{ at: 'greeting', do: { close: true } }], 'limited'],
  [[{ at: 'greeting', do: { reply: '554 5.7.1 go away' } }], 'limited'],
  [[{ at: 'mail', do: { close: true } }], 'deferred'],
  [[{ at: 'rcpt', do: { close: true } }], 'deferred'],
  [[{ at: 'data', do: { close: true } }], 'deferred'],
  [[{ at: 'body', do: { close: true } }], 'unknown'],
  [[{ at: 'accepted', do: { close: true } }], 'unknown'],
  [[{ at: 'accepted', do: { acceptThenClose: true } }], 'unknown'],
])('a server that hangs up, %j: %s', async (rules = [], status) => {
  expect(await outcomeOf({ rules })).toEqual({ status, error: expect.stringMatching(/^.{10,500}$/) });
});

test('a server that says no more', async () => {
  const expected = {
    greeting: 'limited',
    mail: 'deferred',
    rcpt: 'deferred',
    data: 'deferred',
    body: 'unknown',
    accepted: 'unknown',
  } as const;
  // All at once: each waits for the same time to pass.
  const cases = Object.keys(expected) as (keyof typeof expected)[];
  const results = await Promise.all(cases.map((at) => outcomeOf({ rules: [{ at, do: { hang: true } }] }, HASTY)));
  expect(Object.fromEntries(cases.map((at, index) => [at, results[index]?.status]))).toEqual(expected);
  for (const result of results) expect(result).toHaveProperty('error', expect.stringMatching(/^.{10,500}$/));
});

test('a mail whose final dot could not be sent is not in doubt', async () => {
  const raw = `Message-ID: <1@harbour.example>\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(400_000)}`;
  const rules: SmtpScript['rules'] = [{ at: 'body', do: { hang: true } }];
  expect(await outcomeOf({ rules }, HASTY, mail(1, { raw }))).toMatchObject({ status: 'deferred' });
});

test('a mail in doubt is not sent again', async () => {
  const { session, log } = await serverThat({ rules: [{ at: 'accepted', times: 1, do: { acceptThenClose: true } }] });
  expect(await session.send(mails(1), 'key')).toMatchObject([{ status: 'unknown' }]);
  expect((await log()).acceptedCount).toBe(1);
});

test.each(['mail', 'rcpt', 'data'] as const)(
  'a connection lost at %s is opened again, once, for the same mail',
  async (at) => {
    const { session, log } = await serverThat({ rules: [{ at, times: 1, do: { close: true } }] });
    expect(await session.send(mails(1), 'key')).toEqual([{ status: 'sent' }]);
    expect((await log()).messages.map(({ messageId }) => messageId)).toEqual(['<1@harbour.example>']);
  },
);

test('a server that ends its sessions after each mail', async () => {
  const { session, log } = await serverThat({
    rules: [{ at: 'mail', nth: 2, do: { reply: '421 4.7.0 enough', close: true } }],
  });
  expect(await session.send(mails(1), 'one')).toEqual([{ status: 'sent' }]);
  expect(await session.send([mail(2)], 'two')).toEqual([{ status: 'sent' }]);
  expect(await log()).toMatchObject({ connections: 2, acceptedCount: 2 });
});

test.each<[NonNullable<SmtpScript['rules']>[number]]>([
  [{ at: 'rcpt', to: 'reader7@', do: { reply: '550 5.1.1 no such user' } }],
  [{ at: 'accepted', to: 'reader7@', do: { reply: '554 5.7.1 spam' } }],
  [{ at: 'accepted', to: 'reader7@', do: { close: true } }],
  [{ at: 'rcpt', to: 'reader7@', do: { close: true } }],
])('one mail that fails keeps no other back: %j', async (rule) => {
  const { session, log } = await serverThat({ rules: [rule] });
  const results = await session.send(mails(20), 'key');
  const failing = results.flatMap(({ status }, index) => (status === 'sent' ? [] : index + 1));
  expect(failing).toEqual([7]);
  expect(new Set((await log()).messages.map(({ messageId }) => messageId)).size).toBe(19);
});

test('a server that is not there', async () => {
  const session = sessionAt('smtp://127.0.0.1:1?tls=off');
  expect(await session.send(mails(2), 'key')).toEqual(
    Array(2).fill({ status: 'limited', error: expect.stringContaining('no session with 127.0.0.1:1: ') }),
  );
});

test.each([
  ['to', 'reader@readers.example>\r\nDATA'],
  ['to', 'reader@readers.example\nRCPT TO:<other@readers.example>'],
  ['to', 'reader@readers.example> NOTIFY=NEVER'],
  ['to', 'reader\u0000@readers.example'],
  ['to', 'reader'],
  ['to', ''],
  ['from', 'post@harbour.example\r\nRSET'],
  ['from', 'post@harbour.example> SIZE=1'],
  ['from', ''],
])('%s of %j is refused before it is sent', async (name, value) => {
  const { session, log } = await serverThat({});
  const results = await session.send([mail(1), mail(2, { [name]: value }), mail(3)], 'key');
  expect(results).toEqual([
    { status: 'sent' },
    { status: 'failed', error: expect.stringContaining(`${name} must be`) },
    { status: 'sent' },
  ]);
  expect((await log()).acceptedCount).toBe(2);
});

test('addresses stay out of errors', async () => {
  const reply = '550 5.7.1 <reader1@readers.example>: refused by boss@readers.example; ask postmaster@readers.example';
  expect(await outcomeOf({ rules: [{ at: 'rcpt', do: { reply } }] })).toEqual({
    status: 'failed',
    error: '550 5.7.1 <address>: refused by <address>; ask <address>',
  });
});

test('a login', async () => {
  const { port, log } = await openSink<SmtpLog>('smtp', { auth: { user: 'harbour', pass: 'p@ss/wörd' } });
  const login = `harbour:${encodeURIComponent('p@ss/wörd')}`;
  expect(await sessionAt(`smtp://${login}@127.0.0.1:${port}?tls=off`).send(mails(3), 'key')).toEqual(
    Array(3).fill({ status: 'sent' }),
  );
  expect((await log()).acceptedCount).toBe(3);
});

test('a login that is refused is tried once, and is no fault of the mails', async () => {
  const { port, log } = await openSink<SmtpLog>('smtp', { auth: { user: 'harbour', pass: 'right' } });
  const session = sessionAt(`smtp://harbour:wrong@127.0.0.1:${port}?tls=off`);
  const refused = {
    status: 'limited',
    error: `SMTP_URL: 127.0.0.1:${port} did not take the user and password: 535 5.7.8 Authentication credentials invalid`,
  };
  expect(await session.send(mails(20), 'key')).toEqual(Array(20).fill(refused));
  expect(await session.send(mails(20), 'key')).toEqual(Array(20).fill(refused));
  expect(await log()).toMatchObject({ connections: 1, acceptedCount: 0 });
});

test('without STARTTLS nothing is sent, and no password', async () => {
  const { port, log } = await openSink<SmtpLog>('smtp', { tls: 'none', auth: { user: 'harbour', pass: 'right' } });
  const session = sessionAt(`smtp://harbour:right@127.0.0.1:${port}`);
  expect(await session.send(mails(1), 'key')).toEqual([
    {
      status: 'limited',
      error: expect.stringMatching(/^SMTP_URL: 127\.0\.0\.1:\d+ refused STARTTLS; use smtps:.* tls=off/),
    },
  ]);
  expect(await log()).toMatchObject({ names: [], acceptedCount: 0 });
});

test.each([
  ['smtps', 'implicit'],
  ['smtp', 'starttls'],
] as const)('%s: what is sent is sent within TLS', async (scheme, tls) => {
  const { port, log } = await openSink<SmtpLog>('smtp', { tls, auth: { user: 'harbour', pass: 'right' } });
  const session = sessionAt(`${scheme}://harbour:right@localhost:${port}`);
  expect(await session.send(mails(20), 'key')).toEqual(Array(20).fill({ status: 'sent' }));
  const { messages } = await log();
  expect(messages.map(({ tls }) => tls)).toEqual(Array(20).fill(true));
});

test.each([
  ['smtps', 'implicit'],
  ['smtp', 'starttls'],
] as const)('%s: a certificate of another name is refused', async (scheme, tls) => {
  const { port, log } = await openSink<SmtpLog>('smtp', { tls, certificate: 'elsewhere' });
  const session = sessionAt(`${scheme}://localhost:${port}`);
  expect(await session.send(mails(2), 'key')).toEqual(
    Array(2).fill({
      status: 'limited',
      error: expect.stringMatching(/^SMTP_URL: no TLS with localhost:\d+, whose certificate must/),
    }),
  );
  expect(await log()).toMatchObject({ connections: 1, acceptedCount: 0 });
});

const faultsOf = (value: unknown) => {
  const faults: string[] = [];
  const build = smtpTransport({ SMTP_URL: value }, (name, allowed) => void faults.push(`${name} ${allowed}`));
  return { built: build !== undefined, faults };
};

test.each([
  'smtps://mail.example.org',
  'smtp://mail.example.org',
  'smtp://mail.example.org/',
  'smtps://user:p%40ss%2Fw%C3%B6rd@mail.example.org:2465',
  'smtp://user:pass@[2001:db8::1]:2587',
  'smtp://localhost:25?tls=off',
  'smtp://127.0.0.1:25?tls=off',
  'smtp://mail.example.org:2525?tls=off',
  'SMTPS://Mail.Example.org',
])('SMTP_URL %s is allowed', (url) => {
  expect(faultsOf(url)).toEqual({ built: true, faults: [] });
});

test.each<[unknown, RegExp]>([
  [undefined, /^SMTP_URL must be smtps:/],
  ['', /^SMTP_URL must be smtps:/],
  [25, /^SMTP_URL must be smtps:/],
  ['mail.example.org', /^SMTP_URL must be smtps:/],
  ['https://user:secret@mail.example.org', /^SMTP_URL must be smtps:/],
  ['smtp://', /^SMTP_URL must be smtps:/],
  ['smtp://user:secret@:587', /^SMTP_URL must be smtps:/],
  ['smtp://user:secret@mail.example.org:99999', /^SMTP_URL must be smtps:/],
  ['smtp://user:secret@mail.example.org:0', /port from 1/],
  ['smtp://user:secret@mail.example.org:25', /port 25, which Cloudflare blocks/],
  ['smtp://user:secret@mail_%20.example.org', /^SMTP_URL must (be smtps:|name a host)/],
  ['smtp://user@mail.example.org', /both a user and a password/],
  ['smtp://:secret@mail.example.org', /both a user and a password/],
  ['smtp://user:secret%@mail.example.org', /percent-encoded/],
  ['smtp://user:secret%ff@mail.example.org', /percent-encoded/],
  ['smtp://user:secret@mail.example.org/path', /no path/],
  ['smtp://user:secret@mail.example.org#fragment', /no path and no fragment/],
  ['smtp://user:se/cret@mail.example.org', /^SMTP_URL must be smtps:/],
  ['smtp://mail.example.org?tls=on', /one parameter, tls=off/],
  ['smtp://mail.example.org?tls=off&tls=off', /one parameter, tls=off/],
  ['smtp://mail.example.org?tls=off&pool=9', /one parameter, tls=off/],
  ['smtp://mail.example.org?rejectUnauthorized=false', /one parameter, tls=off/],
  ['smtps://mail.example.org?tls=off', /only with smtp:/],
])('SMTP_URL %s is a fault', (url, allowed) => {
  const { built, faults } = faultsOf(url);
  expect(built).toBe(false);
  expect(faults).toEqual([expect.stringMatching(allowed)]);
  expect(faults.join()).not.toContain('secret');
});

test('all faults of SMTP_URL are told at once', () => {
  expect(faultsOf('smtp://user@mail.example.org:25/x?y=z').faults).toHaveLength(4);
});

test('what the engine asks of it', () => {
  const build = smtpTransport({ SMTP_URL: 'smtps://mail.example.org' }, () => undefined);
  expect(build?.({ outbox: OUTBOX, now: () => '2026-05-05T06:00:00Z' })).toMatchObject({
    name: 'smtp',
    batchSize: 20,
    form: 'raw',
    recognisesRepeats: false,
  });
});
