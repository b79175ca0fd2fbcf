import type { IssueReference } from './answer.ts';
import type { Manner } from './audience-ports.ts';
import type { Token } from './token.ts';

/** A mail, exactly as it goes over the wire (RFC 5322), with what the transport must know. */
export interface OutgoingMail {
  /** Same for the same mail: an idempotency key. */
  id: string;
  kind: 'digest' | 'test' | 'notice';
  from: string;
  to: string;
  subject: string;
  messageId: string;
  issue?: IssueReference;
  raw: string;
}

/** A mail that the outbox keeps, without its text: what `/outbox.json` shows. */
export interface OutboxMessage extends Pick<OutgoingMail, 'id' | 'to' | 'from' | 'subject' | 'messageId' | 'kind'> {
  digest?: string;
  issue?: number;
  revision?: number;
  createdAt: string;
}

export type SendResult = { status: 'sent' } | { status: 'failed'; error: string };

/** What carries mail. */
export interface Transport {
  /** One result per mail, in order. Sending the same mail again must be harmless. */
  send(mails: OutgoingMail[]): Promise<SendResult[]>;
}

/** A piece of background work; each may run twice or be lost, and is then found again by the sweep. */
export type Job =
  | { kind: 'notice' }
  | { kind: 'announce'; hub: string; topics: string[] }
  | { kind: 'subscribe'; request: { email: string; digests: string[]; how: Manner; at: string } }
  | { kind: 'plan'; issue: IssueReference }
  | { kind: 'deliver'; issue: IssueReference; page: { after: string; through: string } };

/** WebSub hubs, which tell their subscribers that a feed changed. */
export interface Hubs {
  /** @param topics addresses of the feeds that changed @throws Error when the hub does not take it */
  announce(hub: string, topics: string[]): Promise<void>;
}

export interface JobQueue {
  send(jobs: Job[]): Promise<void>;
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
