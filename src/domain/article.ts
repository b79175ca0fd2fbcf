import type { Person } from './publication.ts';

/** A picture that stands for the article. `alt` is empty for a decorative one. */
export interface Image {
  url: string;
  alt: string;
  width?: number;
  height?: number;
  type?: string;
  /** Bytes. */
  length?: number;
}

/** A file that belongs to the article, such as an episode's audio. */
export interface Attachment {
  url: string;
  type: string;
  /** Bytes. */
  length: number;
  title?: string;
  durationSeconds?: number;
}

/** What feeds, pages and mails show of an article or of an issue. Called "item" only in RSS and JSON Feed code. */
export interface Entry {
  /** Absolute IRI, never derived from URL, slug or host, the same string everywhere. */
  id: string;
  /** Canonical address, absolute. */
  url: string;
  title: string;
  /** Plain text. */
  summary?: string;
  /** Sanitised body; every URL in it is absolute. */
  html: string;
  authors: Person[];
  /** Topic slugs. */
  topics: string[];
  language?: string;
  image?: Image;
  attachments: Attachment[];
  publishedAt: string;
  updatedAt: string;
}

/** A piece of coverage at its current revision. */
export interface Article extends Entry {
  slug: string;
  /** Counts from 1; unchanged content makes no revision. */
  revision: number;
  source?: { name: string; url?: string };
  /** `scheduled` until the first tick after `publishedAt`; hidden everywhere until then. */
  status: 'scheduled' | 'published' | 'withdrawn';
  withdrawnAt?: string;
  /** Why it was withdrawn, for readers. */
  withdrawalNote?: string;
}
