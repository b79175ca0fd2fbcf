/** A standing definition of a mail: which topics, when, how. Another rhythm is another digest. */
export interface Digest {
  /** Slug, part of the address. */
  id: string;
  title: string;
  description?: string;
  /** Topic slugs; empty means every topic. */
  topics: string[];
  schedule: Schedule;
  /** `send` mails when due; `approve` holds the issue until an editor releases it. */
  mode: 'send' | 'approve';
  content: 'summary' | 'full';
  /** Order of articles inside an issue, by publication. */
  order: 'newest' | 'oldest';
  limits: { articles: number };
  /** Articles published before this instant are never put into an issue of this digest. */
  since?: string;
}

/** Five cron fields read in the digest's own IANA time zone. */
export interface Schedule {
  cron: string;
  timezone: string;
}
