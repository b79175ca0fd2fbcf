import type { Entry } from '../domain/article.ts';
import type { IssueEntry } from '../domain/content-ports.ts';
import { escapeHtml } from './mail/escape.ts';

/** How an issue stands in the issues feed: its intro, and each article with a link and its summary. */
export function issueEntry(
  id: string,
  issue: { subject: string; preheader: string; intro?: string; articles: Entry[] },
): IssueEntry {
  const intro = issue.intro === undefined ? '' : `<p>${escapeHtml(issue.intro)}</p>`;
  return { id, title: issue.subject, summary: issue.preheader, html: intro + issue.articles.map(section).join('') };
}

function section({ url, title, summary }: Entry): string {
  const text = summary === undefined ? '' : `<p>${escapeHtml(summary)}</p>`;
  return `<h2><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h2>${text}`;
}
