/** What a deployment allows of mail. */
export interface MailPolicy {
  /** The transport of digests. */
  transport: string;
  /** Whether readers are on this machine only. */
  local: boolean;
  /** The publication's own domain. */
  domain: string;
  /** What to do with a mail that may have been accepted, where the carrier cannot tell. */
  unknown: 'retry' | 'hold';
}
