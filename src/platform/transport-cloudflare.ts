import type { MailFields, MailSession, OutgoingMail, SendResult, TransportSetup } from '../domain/transport.ts';
import { bareMessageId } from './feedback-cloudflare.ts';
import { detailOf } from './feedback-event.ts';

/** One call per mail: what one job has under way. */
const BATCH_SIZE = 20;
/** Workers may have six connections open at once (Cloudflare, "Simultaneous open connections"); one is left to others. */
const CALLS = 5;
/** The quota of a day may also grow at any moment, with the account's standing: asking now and then costs one call. */
const QUOTA_PAUSE_SECONDS = 3600;

interface CloudflareOptions {
  /** For one mail. */
  timeoutMilliseconds: number;
}

/**
 * Cloudflare Email Service, through the binding `EMAIL` (`[[send_email]]`): no key, no other account. It "supports
 * transactional email only" (developers.cloudflare.com/email-service/reference/faq/): for confirmations and notices, not for
 * digests. It knows no idempotency key, and sets the Message-ID itself.
 */
export const cloudflareTransport = cloudflareTransportWith({ timeoutMilliseconds: 30_000 });

/** The same with another time to wait. */
export function cloudflareTransportWith({ timeoutMilliseconds }: CloudflareOptions): TransportSetup {
  return ({ EMAIL: binding }, fault) => {
    if (!isBinding(binding)) {
      fault('EMAIL', 'must be a send_email binding (wrangler.toml, [[send_email]] with name = "EMAIL")');
      return undefined;
    }
    const call: Call = (message) => inTime(binding.send(message), timeoutMilliseconds);
    return () => ({
      name: 'cloudflare',
      batchSize: BATCH_SIZE,
      form: 'fields',
      recognisesRepeats: false,
      open: () => cloudflareSession(call),
    });
  };
}

function isBinding(value: unknown): value is SendEmail {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'send') === 'function';
}

type Call = (message: EmailMessageBuilder) => Promise<EmailSendResult>;

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} seconds`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function cloudflareSession(call: Call): MailSession {
  return {
    async send(mails) {
      const results: SendResult[] = [];
      const turns = mails.entries();
      let refused: SendResult | undefined;
      const work = async () => {
        for (const [index, mail] of turns) {
          // What takes no mail takes none of the rest either.
          const result = refused ?? (await sendOne(call, mail));
          if (result.status === 'limited') refused = result;
          results[index] = result;
        }
      };
      await Promise.all(Array.from({ length: Math.min(CALLS, mails.length) }, work));
      return results;
    },
    close: async () => undefined,
  };
}

async function sendOne(call: Call, mail: OutgoingMail): Promise<SendResult> {
  const message = messageOf(mail);
  if ('fault' in message) return { status: 'failed', error: message.fault };
  try {
    const { messageId } = await call(message);
    return { status: 'sent', ...(messageId ? { providerId: bareMessageId(messageId) } : {}) };
  } catch (error) {
    return resultOf(error);
  }
}

function messageOf({ to, messageId, fields }: OutgoingMail): EmailMessageBuilder | { fault: string } {
  if (!fields) return { fault: 'the mail has no fields' };
  // Several addresses in one would be mailed each.
  if (!/^[^\s\p{C}<>,;]+@[^\s\p{C}<>,;@]+$/u.test(to)) return { fault: 'to must be one e-mail address' };
  const { from, replyTo, subject, html, text } = fields;
  const headers = ownHeaders(fields.headers, messageId);
  if ('fault' in headers) return headers;
  return {
    from: from.name === '' ? from.email : { name: from.name, email: from.email },
    to,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    html,
    text,
    headers: headers.taken,
  };
}

/** developers.cloudflare.com/email-service/reference/headers/, "Allowlisted custom headers"; case does not matter. */
const TAKEN = new Set(
  `in-reply-to references
  list-unsubscribe list-unsubscribe-post list-id list-archive list-help list-owner list-post list-subscribe precedence
  auto-submitted content-language keywords comments importance priority sensitivity organization
  require-recipient-valid-since expires reply-by archived-at`.split(/\s+/),
);
/** Refused, because Email Service sets its own: nothing is lost for the reader. */
const REPLACED = new Set(['message-id', 'feedback-id']);
/** Where our Message-ID stays readable, for who looks into a mail that arrived. */
const OUR_MESSAGE_ID = 'X-Broadside-Message-ID';

/** A header that is not on its list has Email Service refuse the mail, which nothing on this machine would show. */
function ownHeaders(
  headers: MailFields['headers'],
  messageId: string,
): { taken: MailFields['headers'] } | { fault: string } {
  const kept = Object.entries(headers).filter(([name]) => !REPLACED.has(name.toLowerCase()));
  const refused = kept.find(([name]) => !TAKEN.has(name.toLowerCase()) && !/^x-[\w-]{1,98}$/i.test(name));
  if (refused) return { fault: `header ${refused[0]}: Cloudflare Email Service does not take it` };
  return { taken: { ...Object.fromEntries(kept), [OUR_MESSAGE_ID]: messageId } };
}

/** The sender's domain, the binding's own restrictions, the account: nothing is wrong with any mail. */
const SETTING = /^E_(?:SENDER_NOT_VERIFIED|SENDER_DOMAIN_NOT_AVAILABLE|RECIPIENT_NOT_ALLOWED)$/;
/** What a restriction of the binding, or an account without Email Sending, says in words alone. */
const SETTING_WORDS = /\bnot (?:a )?(?:verified|allowed)\b/i;
/**
 * Of this mail. None proves the address bad: also a full mailbox is suppressed, for a day, and a delivery that failed may have
 * failed for its content. What does prove it comes as an event.
 */
const REFUSED =
  /^E_(?:RECIPIENT_SUPPRESSED|DELIVERY_FAILED|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|TOO_MANY_RECIPIENTS|HEADER\w+)$/;

/** What an error of `send()` means (developers.cloudflare.com/email-service/api/send-emails/workers-api/, "Error codes"). */
function resultOf(thrown: unknown): SendResult {
  const { code, message } = readError(thrown);
  const error = detailOf(code, message) || 'an error without words';
  if (code === 'E_RATE_LIMIT_EXCEEDED') return { status: 'limited', error };
  if (code === 'E_DAILY_LIMIT_EXCEEDED') return { status: 'limited', error, retryAfterSeconds: QUOTA_PAUSE_SECONDS };
  if (SETTING.test(code) || (code === '' && SETTING_WORDS.test(message))) {
    return { status: 'limited', error: detailOf('look at [[send_email]] and at the domain in Email Sending', error) };
  }
  if (REFUSED.test(code)) return { status: 'failed', error };
  // E_INTERNAL_SERVER_ERROR, a code that is new, a call that was lost: it may have been accepted.
  return { status: 'unknown', error };
}

/** Errors have a `code`; one that crosses from another Worker keeps only its message. */
function readError(thrown: unknown): { code: string; message: string } {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const given: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  const code = typeof given === 'string' ? given : /^\W*(E_[A-Z_]+)\b/.exec(message)?.[1];
  return { code: code ?? '', message };
}
