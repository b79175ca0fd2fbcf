import { deliveryKey } from '../domain/delivery.ts';
import type { Mailbox } from '../domain/publication.ts';
import type { MailFields, MailSession, OutgoingMail, SendResult, TransportSetup } from '../domain/transport.ts';
import { detailOf } from './feedback-event.ts';
import { type Refused, type ResendAnswer, readAnswer, refusedMail } from './resend-answer.ts';

/** Most mails of one call (resend.com/docs/api-reference/emails/send-batch-emails). */
const BATCH_SIZE = 100;
/** Finds one bad mail among 100, for which 15 are enough, and stays well within the requests of one invocation. */
const CALLS_MAX = 20;
const DEFAULT_URL = 'https://api.resend.com';

interface ResendOptions {
  /** For a call as a whole, answer included. */
  timeoutMilliseconds: number;
}

/** Resend's HTTP API: `RESEND_API_KEY`, and `RESEND_URL` for one that is elsewhere. */
export const resendTransport = resendTransportWith({ timeoutMilliseconds: 30_000 });

/** The same with another time to wait. */
export function resendTransportWith(options: ResendOptions): TransportSetup {
  return (env, fault) => {
    const { RESEND_API_KEY: key, RESEND_URL: given } = env;
    const url = endpointOf(given || DEFAULT_URL);
    const valid = typeof key === 'string' && /^re_[\w-]{1,250}$/.test(key);
    if (!valid) fault('RESEND_API_KEY', 'must be an API key of Resend, re_…');
    if (!url) fault('RESEND_URL', 'must be an https URL without path, query or fragment, or be left out');
    if (!valid || !url) return undefined;
    const call = caller(url, key, options);
    return () => ({
      name: 'resend',
      batchSize: BATCH_SIZE,
      form: 'fields',
      recognisesRepeats: true,
      open: () => resendSession(call),
    });
  };
}

function endpointOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && local);
  return secure && url.href === `${url.origin}/` ? `${url.origin}/emails/batch` : undefined;
}

/** @returns the answer, or why there was none */
type Call = (payload: unknown[], key: string) => Promise<ResendAnswer | { lost: string }>;

function caller(url: string, apiKey: string, { timeoutMilliseconds }: ResendOptions): Call {
  return async (payload, key) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          // Without one Resend answers 403 (resend.com/docs/api-reference/introduction), and Workers send none.
          'User-Agent': 'broadside',
          'x-batch-validation': 'permissive',
        },
        body: JSON.stringify(payload),
        // The key is for this server alone.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      return { status: response.status, headers: response.headers, body: await response.text() };
    } catch (error) {
      return { lost: detailOf('no answer from Resend', error instanceof Error ? error.message : String(error)) };
    }
  };
}

function resendSession(call: Call): MailSession {
  return {
    async send(mails, key) {
      const faults = mails.map(faultOf);
      const good = mails.filter((_, index) => faults[index] === undefined);
      const results = good.length > 0 ? await sendAll(call, good, key, { left: CALLS_MAX }) : [];
      const resultOf = new Map(good.map((mail, index) => [mail, results[index]]));
      return mails.map((mail, index) => {
        const error = faults[index];
        return error === undefined ? (resultOf.get(mail) ?? NO_RESULT) : { status: 'failed', error };
      });
    },
    close: async () => undefined,
  };
}

const NO_RESULT = { status: 'unknown', error: 'no result was given' } as const;

/** Several addresses in one would be mailed each. */
function faultOf({ to, fields }: OutgoingMail): string | undefined {
  if (!fields) return 'the mail has no fields';
  if (!/^[^\s\p{C}<>,;]+@[^\s\p{C}<>,;@]+$/u.test(to)) return 'to must be one e-mail address';
  return undefined;
}

/**
 * Resend refuses invalid mails one by one (`permissive`). Should a call be refused as a whole all the same, each half is
 * sent by itself, so that one bad mail keeps nobody else's back. The keys of the halves follow from that of the whole:
 * a repeat goes the same way, and is recognised. When that takes too many calls, the rest waits for a later attempt.
 */
async function sendAll(call: Call, mails: OutgoingMail[], key: string, calls: { left: number }): Promise<SendResult[]> {
  calls.left -= 1;
  const answer = await call(mails.map(payloadOf), key);
  const outcome = 'lost' in answer ? lost(answer.lost, mails.length) : readAnswer(answer, mails.length);
  if (!('refused' in outcome)) return outcome;
  if (mails.length === 1) return [refusedMail(outcome)];
  const middle = Math.ceil(mails.length / 2);
  const halves = [mails.slice(0, middle), mails.slice(middle)];
  const results: SendResult[] = [];
  for (const [index, half] of halves.entries()) {
    const tried = calls.left > 0 ? await sendAll(call, half, `${key}/${index}`, calls) : later(outcome, half.length);
    results.push(...tried.map(ofHalf));
  }
  return results;
}

/** It may have been accepted before the connection broke or the time was over: the caller sends the same again. */
function lost(error: string, count: number): SendResult[] {
  return Array.from({ length: count }, () => ({ status: 'unknown', error }));
}

/** The caller would repeat a half that is not known to be taken with the key of the whole, which would not be recognised. */
function ofHalf(result: SendResult): SendResult {
  return result.status === 'unknown' ? { ...result, changed: true } : result;
}

function later({ refused }: Refused, count: number): SendResult[] {
  return Array.from({ length: count }, () => ({ status: 'deferred', error: refused }));
}

function payloadOf(mail: OutgoingMail) {
  const { from, replyTo, subject, html, text, headers } = mail.fields ?? NO_FIELDS;
  return {
    from: mailboxText(from),
    to: [mail.to],
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    subject,
    html,
    text,
    headers: ownHeaders(headers, mail.messageId),
    ...tagsOf(mail),
  };
}

const NO_FIELDS: MailFields = { from: { name: '', email: '' }, subject: '', html: '', text: '', headers: {} };

/**
 * Resend sends through Amazon SES, which puts its own Message-ID in the place of ours ("Header fields" in its guide), and
 * one more would be a second. References are left alone: with our own id among them, a reissue that answers to it still
 * finds its thread.
 */
function ownHeaders(headers: MailFields['headers'], messageId: string): MailFields['headers'] {
  const { 'Message-ID': _, References: others, ...rest } = headers;
  return { ...rest, References: others === undefined ? messageId : `${others} ${messageId}` };
}

/** RFC 5322 `name-addr`, in Unicode: the API encodes it. Names of words stay bare, others are quoted strings, even `=?`. */
function mailboxText({ name, email }: Mailbox): string {
  if (name === '') return email;
  const bare = /^[\p{L}\p{M}\p{N} !#$%&'*+/^_`{|}~-]+$/u.test(name);
  return `${bare ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${email}>`;
}

/** The parts of `deliveryKey`, which itself may not stand in a tag: ASCII letters, digits, `_` and `-` are allowed. */
function tagsOf({ id, issue }: OutgoingMail): { tags?: { name: string; value: string }[] } {
  const subscriber = id.slice(id.lastIndexOf('.') + 1);
  if (!issue || deliveryKey(issue, subscriber) !== id) return {};
  const digest = id.slice(0, id.indexOf('.'));
  const tags = { digest, issue: String(issue.number), revision: String(issue.revision), subscriber };
  return { tags: Object.entries(tags).map(([name, value]) => ({ name, value })) };
}
