import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Sink } from '../setup-sinks.ts';

/** What the server does in place of its duty, for a call or, with `invalid`, for one mail of it. */
interface Rule {
  /** A regular expression: only for calls with such a recipient, or only for such mails. */
  to?: string;
  /** From which match on, counted from 1. */
  nth?: number;
  /** How many matches; all, or one where `nth` is set. */
  times?: number;
  do: Deed;
}

interface Deed {
  /** Answers so, and takes no mail. */
  status?: number;
  headers?: Record<string, string>;
  /** JSON, or a text as it is. */
  body?: unknown;
  /** Ends the connection without a word: before the mails are taken, or after. */
  close?: 'before' | 'after';
  /** Never answers, and takes no mail. */
  hang?: true;
  /** Refuses a mail as invalid, with these words or those about its `to`. */
  invalid?: true | string;
}

export interface ResendScript {
  rules?: Rule[];
  /** `ids`: mails are kept without their payload. */
  keep?: 'all' | 'ids';
  /** Refuses calls with an invalid mail as a whole, whatever mode they ask for. */
  strict?: true;
}

interface TakenMail {
  to: string;
  key: string;
  /** What the sender calls the mail: its Message-ID, or the last of its References. */
  messageId: string;
  tags: Record<string, string>;
  payload?: Mail;
}

export interface ResendLog {
  /** Calls, and how many of them repeated one that was answered before. */
  requests: number;
  repeats: number;
  /** The headers of each call, names in lower case. */
  headers: Record<string, string>[];
  /** The server took responsibility for these, once each, whether the client heard of it or not. */
  mails: TakenMail[];
}

export interface ResendSink extends Sink {
  log(): ResendLog;
}

interface Mail {
  from: string;
  to: string | string[];
  subject: string;
  html?: string;
  text?: string;
  headers?: Record<string, string>;
  tags?: { name: string; value: string }[];
  [field: string]: unknown;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Resend's `POST /emails/batch` on a free port of loopback, as it is documented, but for what the script says. */
export async function resendSink(script: ResendScript): Promise<ResendSink> {
  const log: ResendLog = { requests: 0, repeats: 0, headers: [], mails: [] };
  const handle = handler(script, log);
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    log: () => log,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function handler(script: ResendScript, log: ResendLog) {
  const rules = script.rules ?? [];
  const findForCall = ruleBook(rules.filter((rule) => rule.do.invalid === undefined));
  const findForMail = ruleBook(rules.filter((rule) => rule.do.invalid !== undefined));
  const answered = new Map<string, { hash: string; answer: Answer }>();
  const underWay = new Set<string>();

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    log.requests += 1;
    log.headers.push(Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])));
    const key = String(request.headers['idempotency-key'] ?? '');
    const concurrent = key !== '' && underWay.has(key);
    if (!concurrent && key !== '') {
      underWay.add(key);
      response.once('close', () => underWay.delete(key));
    }
    const body = await text(request);
    const refusal = refusalOf(request, key, body) ?? (concurrent ? CONCURRENT : undefined);
    if (refusal) return reply(response, refusal);
    const mails = JSON.parse(body) as Mail[];
    const deed = findForCall(mails.flatMap(({ to }) => to));
    if (deed?.hang) return;
    if (deed?.close === 'before') return void response.destroy();
    if (deed && deed.close === undefined) {
      return reply(response, { status: deed.status ?? 200, headers: deed.headers ?? {}, body: deed.body ?? '' });
    }
    const answer = answerOnce(key, body, () => take(request, key, mails));
    if (deed?.close === 'after') return void response.destroy();
    reply(response, answer);
  };

  /** Repeats the answer to a call that was taken; one that was refused may be made again. */
  function answerOnce(key: string, body: string, make: () => Answer): Answer {
    const hash = createHash('sha256').update(body).digest('hex');
    const before = answered.get(key);
    if (before) {
      log.repeats += 1;
      return before.hash === hash ? before.answer : OTHER_PAYLOAD;
    }
    const answer = make();
    if (key !== '' && answer.status === 200) answered.set(key, { hash, answer });
    return answer;
  }

  function take(request: IncomingMessage, key: string, mails: Mail[]): Answer {
    const errors = mails.flatMap((mail, index) => {
      const message = tooMany(index) ?? faultOf(mail) ?? wordsOf(findForMail([mail.to].flat()));
      return message === undefined ? [] : [{ index, message }];
    });
    const permissive = request.headers['x-batch-validation'] === 'permissive' && !script.strict;
    const [first] = errors;
    if (first && !permissive) return problem(422, 'validation_error', first.message);
    const refused = new Set(errors.map(({ index }) => index));
    const taken = mails.filter((_, index) => !refused.has(index));
    for (const mail of taken) log.mails.push(record(mail, key));
    const data = taken.map(() => ({ id: randomUUID() }));
    return { status: 200, body: permissive ? { data, errors } : { data } };
  }

  function record(mail: Mail, key: string): TakenMail {
    const { headers = {}, tags = [] } = mail;
    return {
      to: [mail.to].flat().join(', '),
      key,
      messageId: headers['Message-ID'] ?? headers.References?.split(' ').at(-1) ?? '',
      tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])),
      ...(script.keep === 'ids' ? {} : { payload: mail }),
    };
  }
}

type Find = (to: string[]) => Deed | undefined;

function ruleBook(rules: Rule[]): Find {
  const open = rules.map(({ to, nth, times, do: deed }) => ({
    to: to === undefined ? undefined : new RegExp(to),
    first: nth ?? 1,
    last: (nth ?? 1) + (times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1)) - 1,
    seen: 0,
    deed,
  }));
  return (to) => {
    for (const rule of open) {
      if (rule.to && !to.some((address) => rule.to?.test(address))) continue;
      rule.seen += 1;
      if (rule.seen >= rule.first && rule.seen <= rule.last) return rule.deed;
    }
    return undefined;
  };
}

function problem(statusCode: number, name: string, message: string): Answer {
  return { status: statusCode, body: { statusCode, name, message } };
}

const CONCURRENT = problem(
  409,
  'concurrent_idempotent_requests',
  'Same idempotency key used while original request is still in progress.',
);
const OTHER_PAYLOAD = problem(
  409,
  'invalid_idempotent_request',
  'Same idempotency key used with a different request payload.',
);

function refusalOf(request: IncomingMessage, key: string, body: string): Answer | undefined {
  const { authorization, 'content-type': type, 'user-agent': agent } = request.headers;
  if (!agent) return { status: 403, body: 'error code: 1010' };
  if (request.url !== '/emails/batch') return problem(404, 'not_found', 'The requested endpoint does not exist.');
  if (request.method !== 'POST') {
    return problem(405, 'method_not_allowed', 'Method is not allowed for the requested path.');
  }
  if (!authorization) return problem(401, 'missing_api_key', 'Missing API Key');
  if (!/^Bearer re_\w+$/.test(authorization)) return problem(401, 'validation_error', 'API key is invalid');
  if (key.length > 256 || request.headers['idempotency-key'] === '') {
    return problem(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
  }
  if (type !== 'application/json' || !body.startsWith('[')) {
    return problem(422, 'validation_error', 'The body must be a list of emails.');
  }
  return undefined;
}

const ADDRESS = /^[^\s<>,;]+@[^\s<>,;@]+$/;
/** Quoted or in plain words, and an address in angle brackets. */
const MAILBOX = /^(?:"(?:[^"\\]|\\.)*"|[^"<>,;:@\\()[\]]+) <([^<>]+)>$/;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;
const FIELDS = new Set(['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'headers', 'tags']);

function faultOf(mail: Mail): string | undefined {
  const { from, to, subject, html, text, headers = {}, tags = [] } = mail;
  const other = Object.keys(mail).find((name) => !FIELDS.has(name));
  if (other !== undefined) return `The \`${other}\` field is not supported.`;
  if (!from || !to || !subject) return `Missing \`${!from ? 'from' : !to ? 'to' : 'subject'}\` field.`;
  if (!isMailbox(from)) return invalidAddress('from');
  const recipients = [to].flat();
  if (recipients.length === 0 || recipients.length > 50 || !recipients.every(isMailbox)) return invalidAddress('to');
  if (!html && !text) return 'Missing `html` or `text` field.';
  const values = Object.values(headers);
  if (!values.every((value) => typeof value === 'string' && /^[ -~]*$/.test(value))) return 'Invalid `headers` field.';
  if (!tags.every(({ name, value }) => TAG.test(name) && TAG.test(value))) {
    return 'Tags should only contain ASCII letters, numbers, underscores, or dashes.';
  }
  return undefined;
}

function tooMany(index: number): string | undefined {
  return index < 100 ? undefined : 'The batch contains more than 100 emails.';
}

function isMailbox(value: string): boolean {
  return ADDRESS.test(value) || ADDRESS.test(MAILBOX.exec(value)?.[1] ?? '');
}

function invalidAddress(field: string): string {
  return (
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or ` +
    '`Name <email@example.com>` format.'
  );
}

function wordsOf(deed: Deed | undefined): string | undefined {
  return deed?.invalid === true ? invalidAddress('to') : deed?.invalid;
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(bytes);
}
