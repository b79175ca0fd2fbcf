import * as z from 'zod/mini';
import { Refusal } from '../domain/errors.ts';
import type { Feedback, FeedbackReader } from '../domain/feedback.ts';
import { parse } from '../domain/validation.ts';
import { deliveryOfMessageId, detailOf, recipientOf, timeOf } from './feedback-event.ts';
import { getOnly, isOn, snsHost, snsKeys } from './sns-certificate.ts';
import { checkSnsMessage, parseSnsMessage, type SnsMessage } from './sns-message.ts';

const words = z.nullish(z.string());
const recipient = z.object({ emailAddress: z.string(), diagnosticCode: words, status: words });
const recipients = z.array(recipient);
const mail = z.object({
  messageId: z.string(),
  timestamp: words,
  destination: z.optional(z.array(z.string())),
  // Left out unless the topic is set to include the original headers.
  headers: z.optional(z.array(z.object({ name: z.string(), value: words }))),
  commonHeaders: z.optional(z.object({ messageId: words })),
});

/** What is read of an event: whom it is about, what it means for them, and when it was. */
interface Reading {
  kind: Feedback['kind'];
  recipients: z.infer<typeof recipients>;
  at: string | null | undefined;
  detail: unknown[];
}

/** How each event of SES is read; all others are not about arrival. Undefined: nothing is to be done. */
const READINGS = new Map<string, (event: unknown, refusal: string) => Reading | undefined>([
  ['Bounce', bounce],
  ['Complaint', complaint],
  ['Delivery', delivery],
  ['DeliveryDelay', delay],
  ['Reject', reject],
]);

export interface SesFeedbackOptions {
  /** The SNS topic that SES publishes to; calls for another are refused. */
  topicArn: string;
  now: () => string;
  log: (message: string, context: Record<string, unknown>) => void;
  fetch?: typeof fetch;
}

/**
 * Events of Amazon SES, handed over by an SNS topic: feedback notifications (`notificationType`) and event publishing
 * (`eventType`). A subscription of this address to the topic is confirmed by itself.
 */
export function sesFeedback({ topicArn, now, log, fetch: send = (...call) => fetch(...call) }: SesFeedbackOptions) {
  const host = snsHost(topicArn) ?? 'invalid';
  const keyOf = snsKeys(host, send);
  const read: FeedbackReader = async (headers, body) => {
    const message = parseSnsMessage(headers, body);
    await checkSnsMessage(message, topicArn, now(), keyOf);
    if (message.Type === 'SubscriptionConfirmation') await confirm(message, host, send);
    if (message.Type === 'UnsubscribeConfirmation') log('Amazon SNS was told to send no more feedback', { topicArn });
    return message.Type === 'Notification' ? eventsOf(message, now()) : [];
  };
  return read;
}

async function confirm({ SubscribeURL: url }: SnsMessage, host: string, send: typeof fetch): Promise<void> {
  if (!url || !isOn(host, url)) throw new Refusal('unproven', `SubscribeURL must lead to https://${host}/.`);
  const { status } = await getOnly(send, url);
  // SNS tries again.
  if (status !== 200) throw new Error(`Amazon SNS answered ${status} to the confirmation of the subscription`);
}

function eventsOf(message: SnsMessage, receivedAt: string): Feedback[] {
  const event = jsonOf(message.Message);
  const type = z.safeParse(z.object({ notificationType: words, eventType: words }), event).data;
  const read = READINGS.get(type?.eventType ?? type?.notificationType ?? '');
  const refusal = 'Nothing was recorded: Message is no event of Amazon SES that is known here.';
  const reading = read?.(event, refusal);
  if (!reading) return [];
  const sent = parse(z.object({ mail }), event, refusal).mail;
  return reading.recipients.map(({ emailAddress, diagnosticCode, status }, index) => ({
    id: reading.recipients.length > 1 ? `${message.MessageId}/${index}` : message.MessageId,
    kind: reading.kind,
    email: recipientOf(emailAddress),
    at: timeOf(reading.at, timeOf(message.Timestamp, receivedAt)),
    detail: detailOf(...reading.detail, diagnosticCode ?? status),
    providerId: sent.messageId,
    ...deliveryOfMessageId(ownMessageId(sent)),
  }));
}

/** Undefined for SES's word that a topic was set up, which is plain text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SES gives the mail a Message-ID of its own and reports ours among the original headers. */
function ownMessageId({ headers, commonHeaders }: z.infer<typeof mail>): string | null | undefined {
  return headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? commonHeaders?.messageId;
}

function bounce(event: unknown, refusal: string): Reading {
  const fields = { bounceType: z.string(), bounceSubType: words, timestamp: words, bouncedRecipients: recipients };
  const { bounce } = parse(z.object({ bounce: z.object(fields) }), event, refusal);
  return {
    // Permanent also when SES did not try, because the address is on its suppression list.
    kind: bounce.bounceType === 'Permanent' ? 'hard_bounce' : 'soft_bounce',
    recipients: bounce.bouncedRecipients,
    at: bounce.timestamp,
    detail: [[bounce.bounceType, bounce.bounceSubType].filter(Boolean).join('/')],
  };
}

/** Reports that are no complaint: the reader called it no spam, or the report is about authentication (RFC 6591). */
const HARMLESS = ['not-spam', 'auth-failure'];

function complaint(event: unknown, refusal: string): Reading | undefined {
  const fields = {
    complaintFeedbackType: words,
    complaintSubType: words,
    timestamp: words,
    complainedRecipients: recipients,
  };
  const { complaint } = parse(z.object({ complaint: z.object(fields) }), event, refusal);
  if (HARMLESS.includes(complaint.complaintFeedbackType ?? '')) return undefined;
  return {
    kind: 'complaint',
    recipients: complaint.complainedRecipients,
    at: complaint.timestamp,
    detail: [complaint.complaintFeedbackType, complaint.complaintSubType],
  };
}

function delivery(event: unknown, refusal: string): Reading {
  const fields = { timestamp: words, recipients: z.array(z.string()), smtpResponse: words };
  const { delivery } = parse(z.object({ delivery: z.object(fields) }), event, refusal);
  return {
    kind: 'delivered',
    recipients: delivery.recipients.map(withoutStatus),
    at: delivery.timestamp,
    detail: [delivery.smtpResponse],
  };
}

function delay(event: unknown, refusal: string): Reading {
  const fields = { delayType: words, timestamp: words, delayedRecipients: recipients };
  const { deliveryDelay } = parse(z.object({ deliveryDelay: z.object(fields) }), event, refusal);
  const { delayType, timestamp, delayedRecipients } = deliveryDelay;
  return { kind: 'delayed', recipients: delayedRecipients, at: timestamp, detail: [delayType] };
}

/** SES took the mail and then did not send it, for what is in it. */
function reject(event: unknown, refusal: string): Reading {
  const schema = z.object({ mail, reject: z.object({ reason: words }) });
  const { mail: sent, reject } = parse(schema, event, refusal);
  return {
    kind: 'soft_bounce',
    recipients: (sent.destination ?? []).map(withoutStatus),
    at: undefined,
    detail: ['rejected', reject.reason],
  };
}

function withoutStatus(emailAddress: string): z.infer<typeof recipient> {
  return { emailAddress };
}
