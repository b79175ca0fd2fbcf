import type { Entry } from '../domain/article.ts';
import type { IssueEntry } from '../domain/content-ports.ts';
import { escapeHtml } from './mail/escape.ts';
import { stringsFor } from './strings.ts';

/** How an issue stands in the issues feed: its intro, and each article with a link and its summary. */
export function issueEntry(
  id: string,
  issue: { subject: string; preheader: string; intro?: string; articles: Entry[]; correction?: Correction },
): IssueEntry {
  const intro = issue.intro === undefined ? '' : `<p>${escapeHtml(issue.intro)}</p>`;
  const html = [correctionOf(issue.correction), intro, ...issue.articles.map(section)].join('');
  return { id, title: issue.subject, summary: issue.preheader, html };
}

/** Of a reissue: what was corrected, and where the text before it is. */
interface Correction {
  reason: string;
  earlier: string;
  language: string;
}

function correctionOf(correction: Correction | undefined): string {
  if (!correction) return '';
  const strings = stringsFor(correction.language);
  return `<p><strong>${escapeHtml(strings.correction)}:</strong> ${escapeHtml(correction.reason)} <a href="${escapeHtml(correction.earlier)}">${escapeHtml(strings.earlierVersion)}</a></p>`;
}

function section({ url, title, summary }: Entry): string {
  const text = summary === undefined ? '' : `<p>${escapeHtml(summary)}</p>`;
  return `<h2><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h2>${text}`;
}
