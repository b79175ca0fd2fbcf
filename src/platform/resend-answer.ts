import * as z from 'zod/mini';
import type { SendResult } from '../domain/transport.ts';
import { detailOf } from './feedback-event.ts';

/** An answer of Resend, whose body was read to its end. */
export interface ResendAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** The request as a whole was refused as invalid, and none of its mails taken. */
export interface Refused {
  refused: string;
  /** It is the recipient's address that is no good. */
  bounce: boolean;
}

/** A quota may end in hours or in weeks, or at any moment by a larger plan: asking now and then costs one request. */
const QUOTA_PAUSE_SECONDS = 3600;

const success = z.object({
  data: z.array(z.nullable(z.object({ id: z.optional(z.string()) }))),
  errors: z.nullish(z.array(z.object({ index: z.number(), message: z.string() }))),
});
const failure = z.object({ name: z.optional(z.string()), message: z.optional(z.string()) });

/**
 * What an answer to `POST /emails/batch` says of each mail (resend.com/docs/api-reference/errors).
 * @param count of mails in the request
 */
export function readAnswer(answer: ResendAnswer, count: number): SendResult[] | Refused {
  if (answer.status >= 200 && answer.status < 300) return readSuccess(answer, count);
  const whole = readFailure(answer);
  return 'refused' in whole ? whole : Array.from({ length: count }, () => whole);
}

/**
 * `data` holds the mails that were taken, in order, without those that `errors` names by their index. When they do not add
 * up, nobody can tell which mail is missing.
 */
function readSuccess({ status, body }: ResendAnswer, count: number): SendResult[] {
  const parsed = z.safeParse(success, jsonOf(body));
  if (!parsed.success) {
    const error = detailOf(`${status} with a body that is no answer to a batch`, body);
    return Array.from({ length: count }, () => ({ status: 'unknown', error }));
  }
  const { data, errors } = parsed.data;
  const faults = new Map((errors ?? []).map(({ index, message }) => [index, message]));
  const indexes = Array.from({ length: count }, (_, index) => index);
  const taken = data.length === count ? indexes : indexes.filter((index) => !faults.has(index));
  const ids = new Map(data.length === taken.length ? taken.map((index, at) => [index, data[at]?.id]) : []);
  return indexes.map((index) => {
    const fault = faults.get(index);
    if (fault !== undefined) return resultOfFault(fault);
    const id = ids.get(index);
    if (id) return { status: 'sent', providerId: id };
    return { status: 'unknown', error: `${status} with ${data.length} ids for ${taken.length} mails` };
  });
}

function readFailure({ status, headers, body }: ResendAnswer): Exclude<SendResult, { status: 'sent' }> | Refused {
  const parsed = z.safeParse(failure, jsonOf(body));
  const { name = '', message = '' } = parsed.success ? parsed.data : {};
  const error = detailOf(`${status} ${name}`.trim(), message || (parsed.success ? '' : body));
  if (status === 429) {
    const pause = /quota/.test(name) ? { retryAfterSeconds: QUOTA_PAUSE_SECONDS } : retryAfter(headers);
    return { status: 'limited', error, ...pause };
  }
  if (status === 409) {
    // One that is still in progress may yet be accepted, as good as an answer that was lost: only its own key is safe.
    return { status: 'unknown', error, ...(name === 'invalid_idempotent_request' ? { changed: true } : {}) };
  }
  if (status === 503) return { status: 'deferred', error, ...retryAfter(headers) };
  if (status >= 500) return { status: 'unknown', error };
  if ([400, 413, 422].includes(status) && !isSetting(name, message)) {
    return { refused: error, bounce: blamesAddress(message) };
  }
  return { status: 'limited', error: settingWords(error) };
}

/** The key, the sender's domain, the account, the URL: nothing is wrong with any mail, and the operator is to look. */
function settingWords(error: string): string {
  return detailOf('look at RESEND_API_KEY, RESEND_URL, the sender and resend.com/domains', error);
}

function resultOfFault(message: string): SendResult {
  if (isSetting('', message)) return { status: 'limited', error: settingWords(message) };
  return refusedMail({ refused: detailOf(message), bounce: blamesAddress(message) });
}

/** One mail that was refused as invalid. */
export function refusedMail({ refused, bounce }: Refused): SendResult {
  return { status: 'failed', error: refused, ...(bounce ? { bounce: true as const } : {}) };
}

/** A fault of what is the same in all mails, whatever the status: an invalid key was once 403, and is 400 or 401 now. */
function isSetting(name: string, message: string): boolean {
  return /api_key|invalid_from_address/.test(name) || /api key|`from`|not verified|testing emails/i.test(message);
}

/** `Invalid `to` field. The email address needs to follow …`; not of one that is missing. */
function blamesAddress(message: string): boolean {
  return /\binvalid [`'"]?to\b/i.test(message);
}

/** Whole seconds (resend.com/docs/api-reference/rate-limit). */
function retryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const given = [headers.get('retry-after'), headers.get('ratelimit-reset')];
  const seconds = given.find((value) => value !== null && /^\d{1,6}$/.test(value));
  return seconds === undefined || seconds === null ? {} : { retryAfterSeconds: Number(seconds) };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
