import * as z from 'zod/mini';
import type { Feedback } from '../domain/feedback.ts';
import { now } from './clock.ts';
import { detailOf, recipientOf, timeOf } from './feedback-event.ts';

const words = z.nullish(z.string());
const event = z.object({
  type: z.string(),
  payload: z.object({
    eventId: z.string(),
    messageId: z.string(),
    recipient: z.string(),
    delivery: z.nullish(z.object({ smtpEnhancedStatusCode: words, smtpResponse: words })),
    bounce: z.nullish(z.object({ type: words, classification: words, reason: words })),
    failure: z.nullish(z.object({ reason: words })),
    rejection: z.nullish(z.object({ reason: words, party: words, detail: words })),
    complaint: z.nullish(z.object({ type: words })),
  }),
  metadata: z.nullish(z.object({ eventTimestamp: words })),
});
type Payload = z.infer<typeof event>['payload'];

const TYPE = 'cf.email.sending.message.';
/** What each event means (developers.cloudflare.com/email-service/reference/event-subscriptions/). */
const KINDS = new Map<string, (payload: Payload) => Feedback['kind']>([
  [`${TYPE}delivered`, () => 'delivered'],
  [`${TYPE}deferred`, () => 'delayed'],
  // `soft` when its retries are exhausted.
  [`${TYPE}bounced`, (payload) => (blamesAddress(payload) ? 'hard_bounce' : 'soft_bounce')],
  // An error of the service itself.
  [`${TYPE}failed`, () => 'soft_bounce'],
  // By its policy or its suppression list, where a full mailbox stays for a day: neither says that the address is dead.
  [`${TYPE}rejected`, () => 'soft_bounce'],
  [`${TYPE}complained`, () => 'complaint'],
]);

/**
 * Reads one queue message of an event subscription of Cloudflare Email Service. They come from the account itself, so that
 * there is no proof to check. What is no event of a mail that is known here is ignored: a retry would not make it one.
 * @param body as the queue hands it over
 */
export function cloudflareFeedback(body: unknown): Feedback[] {
  const parsed = z.safeParse(event, body);
  if (!parsed.success) return [];
  const { type, payload, metadata } = parsed.data;
  const kindOf = KINDS.get(type);
  if (!kindOf) return [];
  return [
    {
      id: payload.eventId,
      kind: kindOf(payload),
      email: recipientOf(payload.recipient),
      at: timeOf(metadata?.eventTimestamp, now()),
      detail: detailOfPayload(payload),
      providerId: bareMessageId(payload.messageId),
    },
  ];
}

/** A Message-ID without its angle brackets: the result of `send()` has them, and the events are shown without. */
export function bareMessageId(messageId: string): string {
  return /^\s*<([^<>]+)>\s*$/.exec(messageId)?.[1] ?? messageId;
}

/**
 * A refusal for good that is about the sender's reputation or authentication, or about content (RFC 3463 section 3.8), says
 * nothing of the address; the service itself does not suppress it for one either.
 */
function blamesAddress({ bounce, delivery }: Payload): boolean {
  return bounce?.type === 'hard' && !/^\d\.[67]\./.test(delivery?.smtpEnhancedStatusCode ?? '');
}

function detailOfPayload({ delivery, bounce, failure, rejection, complaint }: Payload): string {
  return detailOf(
    bounce?.type,
    bounce?.classification,
    bounce?.reason ?? delivery?.smtpResponse,
    failure?.reason,
    rejection?.reason,
    rejection?.party,
    rejection?.detail,
    complaint?.type,
  );
}
