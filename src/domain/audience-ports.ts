import type { ConsentRecord } from './consent.ts';
import type { Subscriber, SubscriptionStatus } from './subscriber.ts';

/** How somebody agreed or left, for the consent record. */
export type Manner = Pick<ConsentRecord, 'way' | 'network' | 'textVersion' | 'proof'>;

/** Where an address stands. */
export interface SubscriptionState {
  subscriberId: string;
  /** As it was typed first: what mail is sent to. */
  email: string;
  suppressed: boolean;
  /** Digests that wait for the confirmation. */
  pending: string[];
}

export interface SubscriptionStore {
  /** Makes pending subscriptions of what is not active; the person's state afterwards. */
  request(
    subscriber: Subscriber & { addressHash: string },
    digests: string[],
    how: Manner,
    at: string,
  ): Promise<SubscriptionState | undefined>;
  /** Makes pending ones active, and leaves the others; all of the person's afterwards. */
  confirm(subscriberId: string, digests: string[], how: Manner, at: string): Promise<Map<string, SubscriptionStatus>>;
  /** Sets what a person who is known to hold the address wants. */
  choose(subscriberId: string, wanted: string[], unwanted: string[], how: Manner, at: string): Promise<void>;
  unsubscribe(subscriberId: string, digests: string[], how: Manner, at: string): Promise<void>;
  statuses(subscriberId: string): Promise<Map<string, SubscriptionStatus>>;
  /** How many would get an issue of the digest now. */
  audience(digest: string): Promise<number>;
  /** Deletes what was never confirmed since before `before`, and people nothing is left of. */
  forgetUnconfirmed(before: string): Promise<void>;
}

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'manual';

export interface SuppressionStore {
  /** The first reason stays. */
  add(addressHash: string, reason: SuppressionReason, at: string): Promise<void>;
  remove(addressHash: string): Promise<boolean>;
  /** Lifts the suppression of a person who proved to hold the address. */
  returnOf(subscriberId: string, how: Manner, at: string): Promise<boolean>;
  /** Counts a confirmation mail; false when the address got one within the hour, or `most` within the day. */
  allowConfirmation(
    addressHash: string,
    at: string,
    limit: { since: { hour: string; day: string }; most: number },
  ): Promise<boolean>;
}

export interface AddressChange {
  id: string;
  subscriberId: string;
  email: string;
}

export interface PersonStore {
  read(subscriberId: string): Promise<(Subscriber & { suppressed: boolean }) | undefined>;
  /** All data held about a person. */
  everything(subscriberId: string): Promise<Record<string, unknown> | undefined>;
  erase(subscriberId: string): Promise<void>;
  requestAddress(change: AddressChange, at: string): Promise<void>;
  pendingAddress(id: string): Promise<AddressChange | undefined>;
  /** False when the address belongs to somebody else. */
  moveAddress(change: AddressChange, addressHash: string, how: Manner, at: string): Promise<boolean>;
}

/** A subscriber of another service, or of ours on the way out. */
export interface ImportRow {
  email: string;
  status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
  subscribedAt?: string;
  confirmedAt?: string;
  unsubscribedAt?: string;
  proof?: string;
}

export interface ImportStore {
  /** What is known of addresses, by their hashes. */
  known(
    digest: string,
    addressHashes: string[],
  ): Promise<Map<string, { status: SubscriptionStatus | undefined; suppressed: boolean }>>;
  write(
    digest: string,
    rows: (Omit<ImportRow, 'status'> & {
      id: string;
      addressHash: string;
      status: 'active' | 'unsubscribed';
      suppression?: SuppressionReason;
    })[],
    consent: string | undefined,
    at: string,
  ): Promise<void>;
  /** A page of subscriptions by key, pending ones left out. */
  page(digest: string, after: string, limit: number): Promise<(ImportRow & { subscriberId: string })[]>;
}
