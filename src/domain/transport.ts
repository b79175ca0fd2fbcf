import type { IssueReference } from './answer.ts';
import type { Mailbox } from './publication.ts';

/** A mail, exactly as it goes over the wire (RFC 5322), with what the transport must know. */
export interface OutgoingMail {
  /** Same for the same mail. ASCII letters, digits, `.` and `-`; of a digest's mail `deliveryKey` (domain/delivery.ts). */
  id: string;
  kind: 'digest' | 'test' | 'notice';
  from: string;
  to: string;
  subject: string;
  messageId: string;
  issue?: IssueReference;
  /** Printable ASCII and CRLF only: quoted-printable bodies, encoded-words in headers. */
  raw: string;
  /** The same mail for a transport that takes fields instead of bytes; set when its `form` asks for them. */
  fields?: MailFields;
}

/** A mail as HTTP APIs take it: decoded, without what `OutgoingMail` says already (`to`, the Message-ID). */
export interface MailFields {
  from: Mailbox;
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  /** All other headers but Date and those of MIME: List-Unsubscribe, Feedback-ID, In-Reply-To and so on. */
  headers: Record<string, string>;
}

/** A mail that the outbox keeps, without its text: what `/outbox.json` shows. */
export interface OutboxMessage extends Pick<OutgoingMail, 'id' | 'to' | 'from' | 'subject' | 'messageId' | 'kind'> {
  digest?: string;
  issue?: number;
  revision?: number;
  createdAt: string;
}

/** What became of one mail. `error` is for the operator: the server's own words, on one line, without addresses of others. */
export type SendResult =
  /** Accepted. `providerId` is the carrier's own id, by which its events name the mail. */
  | { status: 'sent'; providerId?: string }
  /** Refused for good. `bounce`: because of the address, which must not be mailed again. */
  | { status: 'failed'; error: string; bounce?: true }
  /** Refused for now; a later try may succeed. */
  | { status: 'deferred'; error: string; retryAfterSeconds?: number }
  /** Nothing wrong with the mail, but the carrier takes none for now: its rate limit or quota. */
  | { status: 'limited'; error: string; retryAfterSeconds?: number }
  /**
   * It may have been accepted: the answer was lost. `changed`: the carrier knew the key, but for other content, so that
   * it cannot tell whether this mail is a repeat.
   */
  | { status: 'unknown'; error: string; changed?: true };

/** What carries mail. */
export interface Transport {
  /** As the configuration calls it. */
  readonly name: string;
  /** Most mails of one `send`. Who left is looked up before each, so small is also prompt. */
  readonly batchSize: number;
  /** `fields`: mails must come with theirs. */
  readonly form: 'raw' | 'fields';
  /** Whether a repeated `send` with the same key and mails is recognised and harmless. */
  readonly recognisesRepeats: boolean;
  /** Connections live as long as the session, and a session no longer than one invocation. */
  open(): MailSession;
}

export interface MailSession {
  /**
   * One result per mail, in order; never throws for what the other side does.
   * @param key the same for the same mails sent again: an idempotency key. ASCII, at most 200 characters
   */
  send(mails: OutgoingMail[], key: string): Promise<SendResult[]>;
  close(): Promise<void>;
}

/** What the embedded transport stores mails in. */
export interface Outbox {
  /** A mail with an id that is there already is left as it is. */
  add(mails: OutgoingMail[], at: string): Promise<void>;
}

/**
 * Reads what a transport needs from bindings, variables and secrets, and reports each fault: the variable's name and what
 * is allowed. One file in platform/ for each, and one line in `platform/transports.ts`.
 * @returns undefined only after a fault
 */
export type TransportSetup = (
  env: Readonly<Record<string, unknown>>,
  fault: (name: string, allowed: string) => void,
) => BuildTransport | undefined;

export type BuildTransport = (ports: { outbox: Outbox; now: () => string }) => Transport;
