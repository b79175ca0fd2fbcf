import type { Entry } from '../../domain/article.ts';
import type { Digest } from '../../domain/digest.ts';
import { direction, topicTitle } from '../../domain/publication.ts';
import { cleanText, firstSentences, htmlToText } from '../body.ts';
import { stringsFor } from '../strings.ts';
import type { DigestArticle } from './digest-text.ts';
import { byteLength } from './fit.ts';
import type { Sender } from './letter.ts';
import { formatDate, formatList } from './locale.ts';

/** A longer body is shown by its summary: in full it would leave room for nothing else. */
const BODY_BYTES_MAX = 50_000;

/** An article as a digest shows it, with its summary or, when the digest says so, in full. */
export function articleOf(
  article: Entry,
  publication: Sender,
  digest: Pick<Digest, 'content' | 'schedule'>,
): DigestArticle {
  const lang = article.language ?? publication.language;
  const url = webAddress(article.url);
  const picture = webAddress(article.image?.url ?? '');
  const image = picture === undefined ? undefined : { url: picture, alt: cleanText(article.image?.alt ?? '') };
  return {
    title: cleanText(article.title) || (url ?? ''),
    ...(url !== undefined && { url }),
    lang,
    dir: direction(lang),
    byline: bylineOf(article, publication, digest.schedule.timezone),
    ...(image && { image }),
    ...contentOf(article, lang, digest.content),
  };
}

/** The address, when it is one that a reader may be led to: whoever calls should have checked, and once somebody has not. */
function webAddress(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined;
}

function contentOf(
  article: Entry,
  lang: string,
  content: Digest['content'],
): Pick<DigestArticle, 'html' | 'summary' | 'text'> {
  const { html } = article;
  if (content === 'full' && html !== '' && byteLength(html) <= BODY_BYTES_MAX) {
    return { html, text: htmlToText(html, { links: true }) };
  }
  const own = cleanText(article.summary ?? '');
  const summary = own === '' ? cleanText(firstSentences(htmlToText(html), lang)) : own;
  return { ...(summary !== '' && { summary }), text: summary };
}

function bylineOf(article: Entry, publication: Sender, timezone: string): string[] {
  const { language } = publication;
  const names = article.authors.map(({ name }) => cleanText(name)).filter((name) => name !== '');
  const topics = article.topics.map((topic) => cleanText(topicTitle(publication, topic)));
  return [
    names.length > 0 ? stringsFor(language).by(formatList(names, language)) : '',
    formatDate(article.publishedAt, language, timezone),
    topics.join(', '),
  ].filter((part) => part !== '');
}
