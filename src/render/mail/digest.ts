import type { Entry } from '../../domain/article.ts';
import type { Digest } from '../../domain/digest.ts';
import { direction } from '../../domain/publication.ts';
import { cleanText } from '../body.ts';
import { stringsFor } from '../strings.ts';
import { digestLtr, digestRtl } from '../templates.gen.ts';
import { articleOf } from './digest-article.ts';
import { preheaderOf, subjectOf } from './digest-subject.ts';
import { type DigestArticle, digestText } from './digest-text.ts';
import { byteLength, type Fit, fitArticles } from './fit.ts';
import { addressLines, legalLinks, paragraphs, type Sender } from './letter.ts';
import { formatDate, formatNumber } from './locale.ts';
import type { DigestView } from './views.ts';

/** One issue of a digest, to be rendered. */
export interface DigestMailInput {
  publication: Sender;
  digest: Pick<Digest, 'title' | 'content' | 'limits' | 'schedule'>;
  number: number;
  /** Already chosen, in their order. */
  articles: Entry[];
  /** The editor's; otherwise made of the digest's title and the first article's. */
  subject?: string;
  /** Plain text; empty lines part paragraphs. */
  intro?: string;
  /** What was corrected: makes the mail a reissue. */
  reason?: string;
  /** ISO 8601; shown in the digest's time zone. */
  date: string;
  /** The recipient's own links (slots' marks, when the mail is filled later) and the issue on the web. */
  links: { unsubscribe: string; web: string; preferences?: string };
}

/** A rendered digest and how much of the issue it shows. */
export interface DigestMail {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  shown: { full: number; lines: number; more: number };
}

/**
 * Gmail cuts a mail at 102,400 bytes and hides the footer with the unsubscribe link. The rest is room for the values
 * that take the place of slots.
 */
export const HTML_BYTES_MAX = 100_000;

/** Renders both parts of a digest from the same data, with at most `HTML_BYTES_MAX` bytes of HTML. */
export function renderDigest(input: DigestMailInput): DigestMail {
  const articles = input.articles.map((article) => articleOf(article, input.publication, input.digest));
  const frame = frameOf(input);
  const fill = direction(input.publication.language) === 'rtl' ? digestRtl : digestLtr;
  const view = (fit: Fit) => viewOf(input, frame, articles, fit);
  const fit = fitArticles(
    articles.length,
    input.digest.limits.articles,
    (tried) => byteLength(fill(view(tried))) <= HTML_BYTES_MAX,
  );
  const chosen = view(fit);
  return {
    subject: frame.title,
    preheader: frame.preheader,
    html: fill(chosen),
    text: digestText(chosen, articles.slice(0, fit.full)),
    shown: { ...fit, more: articles.length - fit.full - fit.lines },
  };
}

type Frame = Omit<DigestView, 'articles' | 'also' | 'more'>;

/** Everything that does not depend on how many articles fit. */
function frameOf(input: DigestMailInput): Frame {
  const { publication, digest, articles, links } = input;
  const strings = stringsFor(publication.language);
  const title = cleanText(publication.title);
  const digestTitle = cleanText(digest.title);
  const ownTitle = digestTitle === title ? undefined : digestTitle;
  const date = formatDate(input.date, publication.language, digest.schedule.timezone);
  return {
    lang: publication.language,
    title: subjectOf(input),
    preheader: preheaderOf(input),
    publication: title,
    home: publication.baseUrl,
    ...(ownTitle !== undefined && { digest: ownTitle }),
    issue: `${strings.issueNumber(formatNumber(input.number, publication.language))} · ${date}`,
    ...(input.reason !== undefined && {
      correction: { heading: strings.correction, reason: cleanText(input.reason) },
    }),
    intro: paragraphs(input.intro ?? ''),
    ...(articles.length === 0 && { nothing: strings.nothingNew }),
    readOn: strings.readOn,
    why: ownTitle === undefined ? strings.subscribed(title) : strings.subscribed(ownTitle, title),
    links: [
      { text: strings.unsubscribe, url: links.unsubscribe },
      ...(links.preferences === undefined ? [] : [{ text: strings.preferences, url: links.preferences }]),
      { text: strings.webVersion, url: links.web },
      ...legalLinks(publication, strings),
    ],
    address: addressLines(publication),
  };
}

function viewOf(
  { publication, links }: DigestMailInput,
  frame: Frame,
  articles: DigestArticle[],
  fit: Fit,
): DigestView {
  const strings = stringsFor(publication.language);
  const lines = articles
    .slice(fit.full, fit.full + fit.lines)
    .flatMap(({ title, url }) => (url === undefined ? [] : { text: title, url }));
  const more = articles.length - fit.full - fit.lines;
  return {
    ...frame,
    articles: articles.slice(0, fit.full),
    ...(lines.length > 0 && { also: { heading: strings.alsoNew, lines } }),
    ...(more > 0 && { more: { text: strings.andMore(more), url: links.web } }),
  };
}
