import type { IssueReference } from './answer.ts';
import { encodeBase64url } from './base64url.ts';

/** Where one issue revision to one subscriber stands. */
export const DELIVERY_STATES = [
  'queued',
  'sending',
  'sent',
  'bounced',
  'failed',
  'suppressed',
  'unsubscribed',
  'superseded',
  'cancelled',
  'unknown',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATES)[number];

/** How many deliveries of an issue revision stand where; their sum is the audience, always. */
export type DeliveryBalance = Partial<Record<DeliveryStatus, number>>;

/** Subscribers after one id, through another: what one job works on. */
export interface DeliveryPage {
  after: string;
  through: string;
}

/** A leased delivery, with the address as it is at the time of sending. */
export interface LeasedDelivery {
  subscriberId: string;
  email: string;
  /** Counts this one. Only who holds the latest lease may say that a mail was not accepted. */
  attempts: number;
  /** Attempts in which the carrier took no mail from anybody. */
  heldBack: number;
  /** Of a reissue: the revision that the person had first, to which this mail answers. */
  firstRevision?: number;
  /** The idempotency key; of an attempt whose end is not known, the same again. */
  batch: string;
}

/** What to write down of an attempt. */
export interface DeliveryOutcome {
  subscriberId: string;
  attempts: number;
  /** `queued`: to be tried again. */
  status: Extract<DeliveryStatus, 'sent' | 'queued' | 'failed' | 'bounced' | 'unknown'>;
  error?: string;
  providerId?: string;
  /** ISO 8601. */
  retryAt?: string;
  /** The carrier took no mail from anybody. */
  heldBack?: boolean;
  /** It may have been accepted: the next attempt uses the same idempotency key. */
  sameBatch?: boolean;
}

/** Deliveries worked on by one queue message. */
export const PAGE_SIZE = 100;
/** Subscriptions looked at by one step of planning. */
export const PLAN_SIZE = 1000;
/** A consumer that has not reported by then is taken for dead, and its deliveries are sent by another. */
export const LEASE_SECONDS = 300;
/** A page whose job is this late has none. */
export const OVERDUE_SECONDS = 600;
/** Attempts that the carrier looked at, before a delivery is given up: over some 12 hours. */
export const MOST_TRIES = 10;
/** Attempts before it is given up although the carrier took nothing at all: over some 10 days. */
export const MOST_ATTEMPTS = 120;

const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 7200;

/**
 * Seconds before the next try: doubled each time, at most two hours, and spread so that not all come back at once. What
 * the carrier asks for is kept to, and only lengthened.
 * @param tries made so far, 1 or more
 * @param random from 0 to 1
 */
export function pauseSeconds(tries: number, random: number, retryAfterSeconds = 0): number {
  const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(tries - 1, 20), LONGEST_PAUSE_SECONDS);
  const asked = Math.min(retryAfterSeconds, 86_400);
  return Math.ceil(asked > 0 ? asked + random * Math.min(pause, 60) : pause * (0.5 + random / 2));
}

/** The id of a delivery outside of the ledger: of its mail, and of its Message-ID the part before the `@`. */
export function deliveryKey(issue: IssueReference, subscriberId: string): string {
  return `${digestAtom(issue.digest)}.${issue.number}.${issue.revision}.${subscriberId}`;
}

/**
 * RFC 5322 Message-ID, stable for one issue revision to one subscriber, so that a retry is the same message.
 * @param domain the sender's, as RFC 5322 section 3.6.4 advises
 */
export function deliveryMessageId(issue: IssueReference, subscriberId: string, domain: string): string {
  return `<${deliveryKey(issue, subscriberId)}@${domain}>`;
}

/**
 * A digest's id as an RFC 5322 atom, the same for good: itself, or base64url of its UTF-8 when it is not ASCII. Not a
 * host label on purpose: `2026` would be read as an address and some slugs are none.
 */
export function digestAtom(id: string): string {
  return /^[a-z0-9-]+$/.test(id) ? id : encodeBase64url(new TextEncoder().encode(id));
}
