import type { Publication } from '../../domain/publication.ts';

/** One feed document, as feed autodiscovery names it. */
export interface FeedLink {
  title: string;
  type: 'application/rss+xml' | 'application/atom+xml' | 'application/feed+json';
  /** Absolute. */
  url: string;
}

/** What of the publication every page shows. */
export type Identity = Pick<
  Publication,
  'title' | 'description' | 'language' | 'baseUrl' | 'links' | 'digests' | 'topics'
>;

/** What every page needs besides its own view: whose page it is, and the feeds its head announces. */
export interface Site {
  publication: Identity;
  feeds: FeedLink[];
  /** There when people may subscribe on this page. The token goes into the form's hidden field `form`. */
  subscribe?: { formToken: string };
}

/** One revision of an article, for the list of changes below it. */
export interface Revision {
  revision: number;
  updatedAt: string;
  /** The correction's note; absent for a silent change and for the first revision. */
  note?: string;
}

/** A digest and whether it is subscribed to. */
export interface PreferencesDigest {
  id: string;
  title: string;
  description?: string;
  subscribed: boolean;
}
