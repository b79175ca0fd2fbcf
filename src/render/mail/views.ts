/**
 * What the mail templates may name: the designer's vocabulary. A template is compiled to a function of its view, so a
 * name that is not here, or one that may be missing and is used outside of its `{{#if}}`, is a type error.
 *
 * Everything is plain text and escaped on filling, but for `html`, which is sanitised markup.
 */

/** `templates/digest.mjml`: one issue of a digest. */
export interface DigestView extends LetterView {
  /** The digest's title; absent when it is the publication's own. */
  digest?: string;
  /** Number and date: `No. 12 · May 6, 2026`. */
  issue: string;
  /** Only in a reissue: what was corrected, under its heading. */
  correction?: { heading: string; reason: string };
  /** The editor's paragraphs before the first article; often none. */
  intro: string[];
  /** The articles shown with their text, in order. */
  articles: ArticleView[];
  /** What stands in their place when there are none. */
  nothing?: string;
  /** The articles that did not fit, in order, under their heading. */
  also?: { heading: string; lines: LinkView[] };
  /** The last line, when not even lines fitted: `and 12 more`. */
  more?: LinkView;
  /** The words of the link from a summary to the article: `Read on`. */
  readOn: string;
}

/** An article of a digest. */
export interface ArticleView {
  title: string;
  /** Absent when it is none that a reader may be led to. */
  url?: string;
  /** Language and direction of this article, which may be another than the mail's. */
  lang: string;
  dir: 'ltr' | 'rtl';
  /** Who, when and about what, as far as known: `By Ana Ro`, `May 6, 2026`, `Harbour, Weather`. */
  byline: string[];
  image?: { url: string; alt: string };
  /** The whole body, sanitised HTML. When it is there, neither summary nor `readOn` is shown. */
  html?: string;
  /** Absent when `html` is there, or when the article has no text at all. */
  summary?: string;
}

/** `templates/notice.mjml`: a small mail to one person. */
export interface NoticeView extends LetterView {
  paragraphs: string[];
  button?: { label: string; url: string };
  /** What stands above the button's address in words, for who cannot press it. */
  buttonHelp: string;
}

/** `templates/confirmation.mjml`: the question whether a subscription is wanted. */
export interface ConfirmationView extends LetterView {
  heading: string;
  /** Who asked for what, before the list of digests. */
  asked: string;
  /** What will arrive and how often, as far as it can be said. */
  digests: { title: string; description?: string; rhythm?: string }[];
  button: { label: string; url: string };
  buttonHelp: string;
  /** How long the link works. */
  valid: string;
  /** What to do for who did not ask. */
  notYou: string;
}

/** What every mail of a publication has. */
export interface LetterView {
  /** BCP 47 language tag of the mail. */
  lang: string;
  /** The subject; the document's title. */
  title: string;
  /** What mail programs show beside the subject. Hidden, and said nowhere else in the mail. */
  preheader: string;
  publication: string;
  /** The publication's home page. */
  home: string;
  /** Why the recipient gets this mail, in a sentence. */
  why: string;
  /** The footer's links: unsubscribe, web version, imprint, privacy, as far as they apply. */
  links: LinkView[];
  /** Lines of the postal address; none when it is not set. */
  address: string[];
}

export interface LinkView {
  text: string;
  url: string;
}
