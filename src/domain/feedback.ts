import type { IssueReference } from './answer.ts';

/** What a carrier tells of a mail after it took it. */
export interface Feedback {
  /** The carrier's id of this event: a repeat has the same. */
  id: string;
  /**
   * `hard_bounce`: the address does not exist or refuses us for good. `soft_bounce`: it did not arrive this time, and will
   * not be tried again. `delayed`: the carrier goes on trying. `complaint`: the reader called it spam.
   */
  kind: 'delivered' | 'delayed' | 'hard_bounce' | 'soft_bounce' | 'complaint';
  /** The recipient's address as the carrier writes it. */
  email: string;
  /** ISO 8601 UTC, whole seconds. */
  at: string;
  /** The carrier's own words, on one line, at most 500 characters. */
  detail: string;
  /** The carrier's id of the mail (`SendResult.providerId`). */
  providerId?: string;
  /** The delivery it is about, when the carrier hands our own id back (`OutgoingMail.id`, or within our Message-ID). */
  delivery?: IssueReference & { subscriberId: string };
}

/** So many soft bounces within so long a time, and an address is taken for dead. */
export const SOFT_BOUNCES = 5;
export const SOFT_BOUNCE_SECONDS = 60 * 86_400;

export interface FeedbackStore {
  /**
   * Applies one event, in one transaction; a repeat changes nothing. A hard bounce or complaint suppresses the address also
   * when no delivery is known. Soft bounces are counted, and enough of them within two months suppress too.
   */
  record(feedback: Feedback & { addressHash: string }, at: string): Promise<void>;
  forgetSoftBounces(before: string): Promise<void>;
}

/**
 * Proves that a call comes from the carrier, and reads its events.
 * @throws Refusal when the proof is missing or wrong, or the body is none of the carrier's
 */
export type FeedbackReader = (headers: Headers, body: Uint8Array) => Promise<Feedback[]>;
