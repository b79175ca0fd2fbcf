import type { Entry } from '../../domain/article.ts';
import type { Digest } from '../../domain/digest.ts';
import { cleanText } from '../body.ts';
import { stringsFor } from '../strings.ts';
import type { Sender } from './letter.ts';
import { dateRange, localeFor } from './locale.ts';

/** What the lines of an inbox are made of. */
interface Headline {
  publication: Sender;
  digest: Pick<Digest, 'title' | 'schedule'>;
  articles: Entry[];
  subject?: string;
  reason?: string;
}

const SUBJECT_CHARACTERS_MAX = 120;

/** The editor's subject, else the digest's title and the first article's; marked when the mail is a reissue. One line. */
export function subjectOf({ publication, digest, subject, articles, reason }: Headline): string {
  const first = cleanText(articles[0]?.title ?? '');
  const made = [cleanText(digest.title), first].filter((part) => part !== '').join(': ');
  const line = cleanText(subject ?? '') || shortened(made, publication.language);
  return reason === undefined ? line : stringsFor(publication.language).correctedSubject(line);
}

/** Of a correction what was corrected; else how many articles and of which days, which no other line of the mail says. */
export function preheaderOf({ publication, digest, articles, reason }: Headline): string {
  if (reason !== undefined) return shortened(cleanText(reason), publication.language);
  const published = articles.map((article) => article.publishedAt);
  const dates = dateRange(published, publication.language, digest.schedule.timezone);
  const count = stringsFor(publication.language).newArticles(articles.length);
  return dates === undefined ? count : `${count}, ${dates}`;
}

/** Cuts between graphemes (UAX 29), so that no emoji comes apart. */
function shortened(line: string, language: string): string {
  if (line.length <= SUBJECT_CHARACTERS_MAX) return line;
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter(localeFor(language)).segment(line)) {
    if (index + segment.length >= SUBJECT_CHARACTERS_MAX) break;
    end = index + segment.length;
  }
  return `${line.slice(0, end).trimEnd()}…`;
}
