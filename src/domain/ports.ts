import type { IssueReference } from './answer.ts';
import type { Manner } from './audience-ports.ts';
import type { DeliveryPage } from './delivery.ts';
import type { Token } from './token.ts';

/** A piece of background work; each may run twice or be lost, and is then found again by the sweep. */
export type Job =
  | { kind: 'notice' }
  | { kind: 'announce'; hub: string; topics: string[] }
  | { kind: 'subscribe'; request: { email: string; digests: string[]; how: Manner; at: string } }
  | { kind: 'plan'; issue: IssueReference }
  | { kind: 'deliver'; issue: IssueReference; page: DeliveryPage };

/** WebSub hubs, which tell their subscribers that a feed changed. */
export interface Hubs {
  /** @param topics addresses of the feeds that changed @throws Error when the hub does not take it */
  announce(hub: string, topics: string[]): Promise<void>;
}

export interface JobQueue {
  /** @param delaySeconds 0 or less: now; more than the platform can wait: its most */
  send(jobs: Job[], delaySeconds?: number): Promise<void>;
  /** Hands over work that is given up to the dead letter queue. */
  bury(letters: unknown[]): Promise<void>;
}

export interface Tokens {
  sign(token: Token): Promise<string>;
  /** The claims, when the signature is ours. */
  verify(text: string): Promise<Token | undefined>;
}

export interface Hashes {
  /** SHA-256, in hex. */
  sha256(text: string): Promise<string>;
  /** UUIDv5 (RFC 9562 section 5.5). */
  uuidV5(namespace: string, name: string): Promise<string>;
  /** What suppressions are matched by: HMAC-SHA-256 of the address with a key of its own. */
  address(email: string): Promise<string>;
}
