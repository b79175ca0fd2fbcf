import type { Digest } from './digest.ts';

/** Somebody who wrote something. `email` is shown only in feeds, and only when the publisher gave it. */
export interface Person {
  name: string;
  email?: string;
  url?: string;
}

/** A sender or reply address of the publication's own mail. */
export interface Mailbox {
  name: string;
  email: string;
}

/** A tag with its own feeds. Topics need no declaration; a declared one has a title for people. */
export interface Topic {
  slug: string;
  title: string;
  description?: string;
}

/** What a publisher writes in `publication.yaml` and sends as `publication.updated`. */
export interface PublicationSettings {
  title: string;
  description: string;
  /** BCP 47 language tag. */
  language: string;
  author?: Person;
  sender: Mailbox;
  replyTo?: string;
  /** Who is told about issues that wait for approval; `replyTo`, else the sender, when absent. */
  editor?: string;
  postalAddress?: string;
  links: { imprint?: string; privacy?: string };
  topics: Topic[];
  /** Public WebSub hubs; none is advertised unless named here. */
  hubs: string[];
  digests: Digest[];
}

/** The newsletter's identity: its settings, the id minted for it once, and where it is served. */
export interface Publication extends PublicationSettings {
  /** UUID, the namespace of minted article ids (RFC 9562 section 5.5). */
  id: string;
  /** Absolute, ends in a slash. */
  baseUrl: string;
}

const RTL_SCRIPTS = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** Base direction of a BCP 47 language tag, by its likely script (UTS 35, likely subtags). */
export function direction(language: string): 'ltr' | 'rtl' {
  try {
    return RTL_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}

/** The title people see for a topic: the declared one, else the slug. */
export function topicTitle(publication: Pick<PublicationSettings, 'topics'>, slug: string): string {
  return publication.topics.find((topic) => topic.slug === slug)?.title ?? slug;
}
