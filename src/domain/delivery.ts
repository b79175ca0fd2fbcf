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

/** A leased delivery, with the address as it is at the time of sending. */
export interface LeasedDelivery {
  id: string;
  subscriberId: string;
  email: string;
}

/** Deliveries planned and sent by one queue message. */
export const PAGE_SIZE = 100;
/** A consumer that has not reported by then is taken for dead, and its deliveries are sent by another. */
export const LEASE_SECONDS = 300;

/**
 * RFC 5322 Message-ID, stable for one issue revision to one subscriber, so that a retry is the same message.
 * @param domain the sender's, as RFC 5322 section 3.6.4 advises
 */
export function deliveryMessageId(issue: IssueReference, subscriberId: string, domain: string): string {
  return `<${digestAtom(issue.digest)}.${issue.number}.${issue.revision}.${subscriberId}@${domain}>`;
}

/**
 * A digest's id as an RFC 5322 atom, the same for good: itself, or base64url of its UTF-8 when it is not ASCII. Not a
 * host label on purpose: `2026` would be read as an address and some slugs are none.
 */
export function digestAtom(id: string): string {
  return /^[a-z0-9-]+$/.test(id) ? id : encodeBase64url(new TextEncoder().encode(id));
}
