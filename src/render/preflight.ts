import type { Fault } from '../domain/errors.ts';
import type { ArticleData } from '../domain/webhook.ts';
import { markdownToHtml } from './body/markdown.ts';
import { attribute, elementsOf } from './body/nodes.ts';
import { parseHtml } from './body/parse.ts';
import { resolveLink, resolveMedia } from './body/urls.ts';
import { type DigestMail, HTML_BYTES_MAX } from './mail/digest.ts';

/** Fields that hold text for readers. */
const TEXTS = ['title', 'summary', 'bodyMarkdown', 'bodyHtml', 'bodyText'] as const;
/** What other services fill in and we do not: Mailchimp, Handlebars and Liquid, ERB, Salesforce. */
const SLOTS = /\*\|[^|\s][^|]{0,60}\|\*|\{\{[^{}\n]{1,80}\}\}|\{%[^%\n]{1,80}%\}|<%[^%\n]{1,80}%>|%%[\w. ]{1,60}%%/g;

/** What an editor would like to know before an article goes out, by field. None of it keeps the article back. */
export function articleFindings(data: ArticleData, url: string): Fault[] {
  return [...slotFindings(data), ...fieldFindings(data), ...bodyFindings(data, url)];
}

/** The addresses within the publication that a body links to, such as `/articles/one`, with the field they stand in. */
export function ownLinks(data: ArticleData, url: string, baseUrl: string): { pointer: string; path: string }[] {
  const found: { pointer: string; path: string }[] = [];
  for (const { pointer, kind, written } of references(data)) {
    const target = kind === 'link' ? resolveLink(written, url) : undefined;
    if (target?.startsWith(baseUrl)) found.push({ pointer, path: new URL(target).pathname });
  }
  return found;
}

/** What does not fit into the mail of an issue. */
export function mailFindings(name: string, { shown, html }: DigestMail): Fault[] {
  const left = shown.lines + shown.more;
  if (left === 0) return [];
  const bytes = new TextEncoder().encode(html).length;
  const message = `of the articles of ${name}, ${left} are in its mail as a line or a link only: all of them would be over ${HTML_BYTES_MAX} bytes of HTML, after which Gmail cuts (it has ${bytes})`;
  return [{ pointer: '/data', message }];
}

function slotFindings(data: ArticleData): Fault[] {
  return TEXTS.flatMap((field) => {
    const slots = [...new Set(data[field]?.match(SLOTS) ?? [])];
    return slots.map((slot) => ({
      pointer: `/data/${field}`,
      message: `${slot} stands there for each reader as it is: nothing fills it in`,
    }));
  });
}

function fieldFindings({ summary, image }: ArticleData): Fault[] {
  return [
    ...(summary === undefined
      ? [{ pointer: '/data/summary', message: 'is empty: lists and digests show the first sentences in its place' }]
      : []),
    ...(image?.alt.trim() === ''
      ? [{ pointer: '/data/image/alt', message: 'is empty: who does not see the picture learns nothing of it' }]
      : []),
  ];
}

function bodyFindings(data: ArticleData, url: string): Fault[] {
  return references(data).flatMap(({ pointer, kind, written, alt }) => {
    const target = (kind === 'link' ? resolveLink : resolveMedia)(written, url);
    const what = `${kind} ${JSON.stringify(written)}`;
    return [
      ...(target === undefined ? [{ pointer, message: `${what} is broken: it is left out` }] : []),
      ...(target !== undefined && isRelative(written)
        ? [{ pointer, message: `${what} is relative: readers get ${target}` }]
        : []),
      ...(kind === 'image' && (alt ?? '').trim() === ''
        ? [{ pointer, message: `${what} has no alternative text` }]
        : []),
    ];
  });
}

/** An address within the page is meant to be relative. */
function isRelative(written: string): boolean {
  return !/^\s*(?:[a-z][a-z0-9+.-]*:|#)/i.test(written);
}

interface Reference {
  pointer: string;
  kind: 'link' | 'image';
  written: string;
  alt?: string;
}

/** Links and pictures of a body, as its publisher wrote them. None where the body cannot be read as a tree. */
function references(data: ArticleData): Reference[] {
  const field = data.bodyMarkdown === undefined ? 'bodyHtml' : 'bodyMarkdown';
  const source = data[field];
  if (source === undefined) return [];
  const found: Reference[] = [];
  const pointer = `/data/${field}`;
  try {
    for (const node of elementsOf(parseHtml(field === 'bodyMarkdown' ? markdownToHtml(source) : source))) {
      const href = node.tagName === 'a' ? attribute(node, 'href') : undefined;
      if (href !== undefined) found.push({ pointer, kind: 'link', written: href });
      if (node.tagName !== 'img') continue;
      const alt = attribute(node, 'alt');
      found.push({
        pointer,
        kind: 'image',
        written: attribute(node, 'src') ?? '',
        ...(alt === undefined ? {} : { alt }),
      });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
  return found;
}
