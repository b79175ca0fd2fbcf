import { env } from 'cloudflare:workers';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { normaliseEmail } from '../../src/domain/subscriber.ts';
import type { TransportSetup } from '../../src/domain/transport.ts';
import { transports } from '../../src/platform/transports.ts';
import type { TestApp } from '../support/app.ts';
import { articleData, digestData } from '../support/content.ts';
import {
  addReaders,
  balance,
  DUE,
  deliveries,
  headerValues,
  ledger,
  manyNames,
  newsroom,
  planned,
  workThrough,
} from '../support/newsroom.ts';
import type { ParsedMail } from '../support/parse-mail.ts';
import type { ResendLog, ResendScript } from '../support/sink-resend.ts';
import type { SmtpLog, SmtpScript } from '../support/sink-smtp.ts';
import { bytesOf, openSink, parseWithMailparser } from '../support/sinks.ts';

const NAMES = ['ada', 'bea', 'cid'];

/** A mail server, and the variables of a Worker that sends through it. */
async function mailServer(script: SmtpScript = {}, url = (port: number) => `smtp://127.0.0.1:${port}?tls=off`) {
  const sink = await openSink<SmtpLog>('smtp', script);
  const vars = { MAIL_TRANSPORT: 'smtp', SMTP_URL: url(sink.port), MAIL_DOMAIN: 'news.example' };
  return { ...sink, vars };
}

/** The same of a provider with an API. */
async function provider(script: ResendScript = {}) {
  const sink = await openSink<ResendLog>('resend', script);
  const RESEND_URL = `http://127.0.0.1:${sink.port}`;
  const vars = { MAIL_TRANSPORT: 'resend', RESEND_API_KEY: 're_123456789', RESEND_URL, MAIL_DOMAIN: 'news.example' };
  return { ...sink, vars };
}

/** What postal-mime makes of a mail, in the same form as mailparser. */
async function parseWithPostalMime(raw: string): Promise<ParsedMail & { email: Email }> {
  const email = await PostalMime.parse(bytesOf(raw));
  const { headers, subject = '', text = '', html = '', from, to = [], messageId = '' } = email;
  const mailbox = ({ name, address = '' }: Address) => ({ name, address });
  return {
    email,
    headerNames: headers.map(({ key }) => key),
    subject,
    text,
    html,
    from: from ? [mailbox(from)] : [],
    to: to.map(mailbox),
    messageId,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
  };
}

const LIST_HEADERS = [
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-archive',
  'feedback-id',
  'precedence',
];

/** What is to be the same whoever parses it. */
function essence({ subject, text, html, from, to, messageId, headerNames, headers }: ParsedMail) {
  const lines = (value: string) => value.replaceAll('\r\n', '\n').trimEnd();
  const list = Object.fromEntries(LIST_HEADERS.map((name) => [name, headers[name]]));
  return { subject, text: lines(text), html: lines(html), from, to, messageId, headerNames, list };
}

/** A mail as both parsers agree that it is. */
async function parsedByBoth(raw: string) {
  const [one, other] = await Promise.all([parseWithPostalMime(raw), parseWithMailparser(raw)]);
  expect(essence(other)).toEqual(essence(one));
  return { ...essence(one), email: one.email };
}

/** Of whatever order. */
const sorted = (names: string[]) => names.toSorted((one, other) => one.localeCompare(other));

const HEADERS = [
  'message-id',
  'auto-submitted',
  'precedence',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'list-archive',
  'feedback-id',
  'from',
  'to',
  'reply-to',
  'subject',
  'date',
  'mime-version',
  'content-type',
];

describe('an issue by smtp', () => {
  test.each([
    ['in plain text', {}, undefined],
    ['over STARTTLS', { tls: 'starttls' }, (port: number) => `smtp://localhost:${port}`],
    ['over TLS', { tls: 'implicit' }, (port: number) => `smtps://localhost:${port}`],
  ] as const)('arrives %s, to each reader once, and reads the same in two parsers', async (_, script, url) => {
    const server = await mailServer(script, url);
    const app = await planned(NAMES, { vars: server.vars });
    await app.work();
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 3, deliveries: { sent: 3 } });
    const { messages, acceptedCount } = await server.log();
    expect(acceptedCount).toBe(3);
    expect(messages.map(({ to }) => to).toSorted()).toEqual(NAMES.map((name) => [`${name}@reader.example`]));
    for (const { from, to, raw, messageId } of messages) {
      const [address = ''] = to;
      const name = address.slice(0, address.indexOf('@'));
      expect(from).toBe('letters@news.example');
      expect(messageId).toBe(`<weekly.1.1.${name}@news.example>`);
      const mail = await parsedByBoth(raw);
      expect(mail).toMatchObject({
        subject: 'The week: Letter one',
        from: [{ name: 'Tide Notes', address: 'letters@news.example' }],
        to: [{ name: '', address }],
        messageId,
        list: {
          'list-id': '"The week" <weekly.news.example>',
          'list-unsubscribe': expect.stringMatching(/^<http:\/\/localhost:8787\/unsubscribe\/[\w.-]+>$/),
          'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
        },
      });
      expect(sorted(mail.headerNames)).toEqual(sorted(HEADERS));
      expect(mail.text).toContain('What letter one says');
      expect(mail.html).toContain('What letter one says');
      // Printable ASCII and CRLF, in lines that every server takes (RFC 5322 section 2.1.1).
      expect(raw).toMatch(/^(?:[\t -~]{0,998}\r\n)+$/);
    }
  });

  test('ends a subscription by the link in its header, and no other', async () => {
    const server = await mailServer();
    const app = await planned(NAMES, { vars: server.vars });
    await app.work();
    const { messages } = await server.log();
    const raw = messages.find(({ to }) => to[0] === 'bea@reader.example')?.raw ?? '';
    const { email } = await parsedByBoth(raw);
    const [link = ''] = headerValues(email, 'List-Unsubscribe');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const response = await app.fetch(new URL(link.slice(1, -1)).pathname, { method: 'POST', body });
    expect(response.status).toBe(200);
    const { results } = await env.DB.prepare('SELECT subscriberId, status FROM subscription ORDER BY 1').all();
    expect(results).toEqual([
      { subscriberId: 'ada', status: 'active' },
      { subscriberId: 'bea', status: 'unsubscribed' },
      { subscriberId: 'cid', status: 'active' },
    ]);
  });

  test('has one recipient refused for good, one for now, and reaches the others', async () => {
    const server = await mailServer({
      rules: [
        { at: 'rcpt', to: '^ada@', do: { reply: '550 5.1.1 no such user' } },
        { at: 'accepted', to: '^bea@', nth: 1, do: { reply: '451 4.3.0 come back later' } },
      ],
    });
    const app = await planned(NAMES, { vars: server.vars });
    await app.work();
    expect(await ledger('error')).toEqual({
      ada: { status: 'bounced', error: '550 5.1.1 no such user' },
      bea: { status: 'queued', error: '451 4.3.0 come back later' },
      cid: { status: 'sent', error: null },
    });
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 2, bounced: 1 } });
    const { messages } = await server.log();
    expect(messages.flatMap(({ to }) => to).toSorted()).toEqual(['bea@reader.example', 'cid@reader.example']);
  });

  test.each([
    ['retry', { status: 'sent', attempts: 2 }, 2],
    ['hold', { status: 'unknown', attempts: 1 }, 1],
  ])('that the server took without a word is handled as MAIL_UNKNOWN %s says', async (MAIL_UNKNOWN, row, times) => {
    const server = await mailServer({ rules: [{ at: 'accepted', nth: 1, do: { acceptThenClose: true } }] });
    const app = await planned(['ada'], { vars: { ...server.vars, MAIL_UNKNOWN } });
    await workThrough(app);
    const { messages } = await server.log();
    expect(messages.map(({ messageId }) => messageId)).toEqual(Array(times).fill('<weekly.1.1.ada@news.example>'));
    expect(new Set(messages.map(({ raw }) => raw)).size).toBe(1);
    const { ada } = await ledger('attempts', 'error');
    expect(ada).toMatchObject({ ...row, error: expect.stringContaining('no reply to the mail') });
  });

  test('waits for a server that is away, and loses nobody', async () => {
    const server = await mailServer({
      rules: [{ at: 'greeting', times: 2, do: { reply: '421 4.3.2 back soon', close: true } }],
    });
    const app = await planned(NAMES, { vars: server.vars });
    await app.work();
    expect(await balance(app)).toMatchObject({ status: 'sending', deliveries: { queued: 3 } });
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 3 } });
    expect((await server.log()).acceptedCount).toBe(3);
  });
});

/** Written by a publisher, and what a reader sees of it on one line. */
const HOSTILE: [name: string, value: string, shown: string][] = [
  ['a header after CR and LF', 'Gale\r\nBcc: spy@evil.example', 'Gale Bcc: spy@evil.example'],
  ['an end of the headers', 'Gale\r\n\r\nSpy <b>', 'Gale Spy <b>'],
  ['a bare LF, a bare CR', 'Gale\nBcc: spy@evil.example\rCc: spy', 'Gale Bcc: spy@evil.example Cc: spy'],
  ['other line breaks', 'Gale\u2028Bcc: a\u2029Cc: b\u0085To: c', 'Gale Bcc: a Cc: b To: c'],
  ['control characters', 'Ga\0le\u0007\u001b[31m\u000b\u000cx\u007f', 'Gale[31mx'],
  ['an encoded-word', '=?utf-8?Q?x=0D=0ABcc:_spy=40evil.example?=', '=?utf-8?Q?x=0D=0ABcc:_spy=40evil.example?='],
  ['an encoded-word in base64', '=?utf-8?B?QmNjOiBzcHk=?= =?', '=?utf-8?B?QmNjOiBzcHk=?= =?'],
  ['half an encoded-word', 'Gale =?utf-8?Q?', 'Gale =?utf-8?Q?'],
  ['an address', 'Spy <spy@evil.example>', 'Spy <spy@evil.example>'],
  ['a bare address', 'spy@evil.example', 'spy@evil.example'],
  ['a list of addresses', 'Ann, spy@evil.example, <b@evil.example>', 'Ann, spy@evil.example, <b@evil.example>'],
  ['quotes', 'A" <spy@evil.example>, "B', 'A" <spy@evil.example>, "B'],
  ['backslashes', 'A\\" <spy@evil.example>, \\"B\\', 'A\\" <spy@evil.example>, \\"B\\'],
  ['a group and a comment', 'Us: spy@evil.example; (hidden', 'Us: spy@evil.example; (hidden'],
  ['right to left', 'مرحبا \u202espy@evil.example\u202c', 'مرحبا \u202espy@evil.example\u202c'],
  ['emoji', '👩‍👩‍👧‍👦 🎩 gale', '👩‍👩‍👧‍👦 🎩 gale'],
  ['half an emoji', 'Gale \ud83c!', 'Gale !'],
  ['a long word', 'x'.repeat(200), 'x'.repeat(200)],
  ['long and not ASCII', 'ü💧'.repeat(66), 'ü💧'.repeat(66)],
  ['long and quoted', '", <'.repeat(50).trim(), '", <'.repeat(50).trim()],
  ['slot marks and CSS', 'zq0123456789abcdef0to0 {{to}} </style>', 'zq0123456789abcdef0to0 {{to}} </style>'],
];

/** One line is what most fields are allowed; a digest's title, a summary and an address may have more. */
const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ');

async function hostileIssue(
  value: string,
  run: Record<string, unknown>,
  vars: Record<string, string>,
): Promise<TestApp> {
  const line = oneLine(value);
  const settings = {
    title: line,
    description: value,
    author: { name: line },
    sender: { name: line, email: 'letters@news.example' },
    postalAddress: value,
    topics: [{ slug: 'sea', title: line }],
    digests: [digestData({ title: value, since: '2026-06-01T00:00:00Z' })],
  };
  const app = await newsroom({ settings, vars });
  const article = { title: line, summary: value, authors: [{ name: line }], bodyText: value, bodyMarkdown: undefined };
  await app.answer('article.published', articleData('one', article));
  await addReaders(['ada', 'bea']);
  await app.answer('digest.run', { digest: 'weekly', ...run });
  await app.work();
  return app;
}

describe('nobody who writes a name or a subject adds a header or a recipient', () => {
  test.each(HOSTILE)('by smtp: %s', async (_name, value, shown) => {
    const server = await mailServer();
    const app = await hostileIssue(value, { subject: oneLine(value), intro: value }, server.vars);
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
    const { messages } = await server.log();
    expect(messages.map(({ from, to }) => [from, to]).toSorted()).toEqual([
      ['letters@news.example', ['ada@reader.example']],
      ['letters@news.example', ['bea@reader.example']],
    ]);
    for (const { raw, to, messageId } of messages) {
      const mail = await parsedByBoth(raw);
      expect(sorted(mail.headerNames)).toEqual(sorted(HEADERS));
      expect(mail).toMatchObject({
        subject: shown,
        from: [{ name: shown.replaceAll('=?', '= ?'), address: 'letters@news.example' }],
        to: [{ name: '', address: to[0] }],
        messageId,
      });
      expect(headerValues(mail.email, 'List-Id')[0]).toMatch(/ <weekly\.news\.example>$/);
      expect(headerValues(mail.email, 'Reply-To')).toEqual(['desk@news.example']);
      expect(mail.email.attachments).toEqual([]);
      expect(raw).toMatch(/^(?:[\t -~]{0,998}\r\n)+$/);
    }
    expect(app.logged).toEqual([]);
  });

  test.each(HOSTILE)('by a subject made of titles: %s', async (_name, value) => {
    const server = await mailServer();
    const app = await hostileIssue(value, {}, server.vars);
    const subject = await env.DB.prepare('SELECT subject FROM issue').first<string>('subject');
    const { messages } = await server.log();
    expect(messages.map(({ to }) => to).toSorted()).toEqual([['ada@reader.example'], ['bea@reader.example']]);
    const mail = await parsedByBoth(messages[0]?.raw ?? '');
    expect(sorted(mail.headerNames)).toEqual(sorted(HEADERS));
    expect(mail.subject).toBe(subject);
    expect(app.logged).toEqual([]);
  });

  test.each([
    ['=?utf-8?Q?spy=40evil.example=2C?=@reader.example'],
    ["!#$%&'*+/=?^_`{|}~-@reader.example"],
    [`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`],
    ['UPPER.Case@reader.example'],
    // The server of the tests shows what it got as xn--bcher-kva in Unicode.
    ['post@xn--bcher-kva.example', 'post@bücher.example'],
    ['-f@reader.example'],
  ])('no reader by the address %s', async (address, recipient = address) => {
    expect(normaliseEmail(address)).toBe(address);
    const server = await mailServer();
    const app = await planned(['ada'], { vars: server.vars });
    await env.DB.prepare('UPDATE subscriber SET email = ?').bind(address).run();
    await app.work();
    const { messages } = await server.log();
    expect(messages.map(({ to }) => to)).toEqual([[recipient]]);
    const raw = messages[0]?.raw ?? '';
    const names = (await parseWithPostalMime(raw)).headerNames;
    expect(sorted(names)).toEqual(sorted(HEADERS));
    expect((await parseWithMailparser(raw)).headerNames).toEqual(names);
    expect(raw.match(/^To:.*$/gim)).toEqual([`To: <${address}>`]);
  });
});

/** The transport of a Worker with these variables. */
function transportOf(name: 'smtp' | 'resend', vars: Record<string, string>): TestApp['deps']['transport'] {
  const setup: TransportSetup | undefined = transports[name];
  const build = setup?.(vars, (variable, allowed) => {
    throw new Error(`${variable} ${allowed}`);
  });
  if (!build) throw new Error(`no transport is called ${name}`);
  return build({ outbox: { add: async () => undefined }, now: () => DUE });
}

describe('an issue by resend', () => {
  test('is one call with the content that smtp carries, to each reader alone', async () => {
    const server = await mailServer();
    const api = await provider();
    const app = await planned(NAMES, { vars: server.vars });
    await app.work();
    // The same issue once more, by the other way.
    await env.DB.batch([
      env.DB.prepare('DELETE FROM delivery'),
      env.DB.prepare(`UPDATE issue SET status = 'planning', plannedAt = NULL`),
    ]);
    app.deps.transport = transportOf('resend', api.vars);
    app.jobs.push({ kind: 'plan', issue: { digest: 'weekly', number: 1, revision: 1 } });
    await app.work();
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 3 } });
    const { requests, mails } = await api.log();
    expect(requests).toBe(1);
    expect(mails.map(({ to }) => to)).toEqual(NAMES.map((name) => `${name}@reader.example`));
    const { messages } = await server.log();
    for (const { to, payload, messageId } of mails) {
      const bySmtp = await parsedByBoth(messages.find((each) => each.to[0] === to)?.raw ?? '');
      const lines = (text = '') => text.replaceAll('\r\n', '\n').trimEnd();
      expect(messageId).toBe(bySmtp.messageId);
      expect({ ...payload, text: lines(payload?.text), html: lines(payload?.html) }).toMatchObject({
        from: 'Tide Notes <letters@news.example>',
        to: [to],
        reply_to: 'desk@news.example',
        subject: bySmtp.subject,
        text: bySmtp.text,
        html: bySmtp.html,
      });
      const written = Object.entries(payload?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
      expect(Object.fromEntries(written)).toEqual({
        ...bySmtp.list,
        'auto-submitted': 'auto-generated',
        references: messageId,
      });
    }
    expect(Object.keys(await ledger('providerId'))).toEqual(NAMES);
    for (const { providerId } of Object.values(await ledger('providerId')))
      expect(providerId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('whose answer was lost is repeated with the same key, and taken once', async () => {
    const api = await provider({ rules: [{ nth: 1, do: { close: 'after' } }] });
    const app = await planned(NAMES, { vars: { ...api.vars, MAIL_UNKNOWN: 'hold' } });
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'queued', bea: 'queued', cid: 'queued' });
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 3 } });
    const { requests, repeats, headers, mails } = await api.log();
    expect([requests, repeats, mails.length]).toEqual([2, 1, 3]);
    expect(new Set(headers.map((each) => each['idempotency-key'])).size).toBe(1);
  });

  test('whose consumer died after the call is repeated with the same key, and taken once', async () => {
    const api = await provider();
    const app = await planned(NAMES, { vars: api.vars });
    const { record } = app.deps.deliveries;
    app.deps.deliveries = {
      ...app.deps.deliveries,
      record: async () => {
        app.deps.deliveries = { ...app.deps.deliveries, record };
        throw new Error('stopped before record');
      },
    };
    const [job] = app.jobs;
    await app.work();
    app.clock.now = '2026-06-16T06:05:00Z';
    if (job) app.jobs.push(job);
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 3 } });
    const { requests, repeats, mails } = await api.log();
    expect([requests, repeats, mails.length]).toEqual([2, 1, 3]);
  });

  test('of more than a page is one call for each', async () => {
    const api = await provider();
    const app = await planned(manyNames(130), { vars: api.vars });
    await app.work();
    const { requests, mails, headers } = await api.log();
    expect([requests, mails.length]).toEqual([2, 130]);
    expect(new Set(headers.map((each) => each['idempotency-key'])).size).toBe(2);
  });

  test.each(HOSTILE)('no name or subject adds a recipient: %s', async (_name, value, shown) => {
    const api = await provider();
    await hostileIssue(value, { subject: oneLine(value), intro: value }, api.vars);
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
    const { mails } = await api.log();
    expect(mails.map(({ payload }) => payload?.to)).toEqual([['ada@reader.example'], ['bea@reader.example']]);
    for (const { payload } of mails) {
      expect(payload?.subject).toBe(shown);
      expect(payload?.from).toMatch(/ <letters@news\.example>$/);
      // RFC 5322: outside of a quoted string, there is nothing but words and the one address.
      const outside = String(payload?.from).replace(/^"(?:[^"\\]|\\.)*"/, '');
      expect(outside.match(/[<>@,;:"]/g)).toEqual(['<', '@', '>']);
      expect(sorted(Object.keys(payload ?? {}))).toEqual(
        sorted(['from', 'to', 'reply_to', 'subject', 'html', 'text', 'headers', 'tags']),
      );
      const names = Object.keys(payload?.headers ?? {}).map((name) => name.toLowerCase());
      expect(sorted(names)).toEqual(sorted([...LIST_HEADERS, 'auto-submitted', 'references']));
    }
  });
});
