import { dirname, resolve } from 'node:path';
import Handlebars from 'handlebars';
import type { Element, Root } from 'hast';
import mjml2html from 'mjml';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import {
  applyDirection,
  type Direction,
  readSources,
  type Source,
  withoutComments,
} from '../../src/build/template-source.ts';
import type { Entry } from '../../src/domain/article.ts';
import type { Digest } from '../../src/domain/digest.ts';
import type { Sender } from '../../src/render/mail/letter.ts';
import type { ArticleView, DigestView } from '../../src/render/mail/views.ts';

export const publication: Sender = {
  title: 'Harbour Letters',
  description: 'Notes from a quay',
  language: 'en',
  baseUrl: 'https://harbour.example/',
  postalAddress: 'Harbour Letters\n1 Quay Street',
  links: {
    imprint: 'https://harbour.example/imprint',
    privacy: 'https://harbour.example/privacy',
  },
  topics: [{ slug: 'tides', title: 'Tides & Currents' }],
};

export const digest: Digest = {
  id: 'weekly',
  title: 'The Week at Sea',
  topics: [],
  schedule: { cron: '0 8 * * 5', timezone: 'Europe/Lisbon' },
  mode: 'send',
  content: 'summary',
  order: 'newest',
  limits: { articles: 20 },
};

export const links = {
  unsubscribe: 'https://harbour.example/unsubscribe/sample',
  web: 'https://harbour.example/issues/weekly/7',
};

/** An article of our own wording; `n` makes it one of a kind. */
export function entry(n: number, fields: Partial<Entry> = {}): Entry {
  return {
    id: `urn:example:${n}`,
    url: `https://harbour.example/articles/${n}`,
    title: `Dispatch <${n}>`,
    summary: `What happened on day ${n}.`,
    html: `<p>The whole story of day ${n}.</p>`,
    authors: [{ name: 'Mira Sol' }],
    topics: ['tides'],
    attachments: [],
    publishedAt: `2026-03-${String(n).padStart(2, '0')}T10:00:00Z`,
    updatedAt: `2026-03-${String(n).padStart(2, '0')}T10:00:00Z`,
    ...fields,
  };
}

/** `entry(1)` to `entry(count)`. */
export function entries(count: number, fields: Partial<Entry> = {}): Entry[] {
  return Array.from({ length: count }, (_, index) => entry(index + 1, fields));
}

/** A digest's view with every part of the template in use, and `count` articles of changing kind. */
export function digestView(count: number, direction: Direction): DigestView {
  const link = (name: string) => ({
    text: `${name} & more`,
    url: `https://harbour.example/${name}?a=1&b=2`,
  });
  return {
    lang: direction === 'rtl' ? 'ar' : 'en',
    title: 'Week 7: “gales” & <calm>',
    preheader: `${count} dispatches`,
    publication: 'Harbour & Quay',
    home: 'https://harbour.example/',
    digest: 'The Week',
    issue: 'No. 7 · 6 March 2026',
    correction: {
      heading: 'Correction',
      reason: 'The tide table of No. 7 was that of June.',
    },
    intro: ['Good morning.', 'Here is the week.'],
    articles: Array.from({ length: count }, (_, index) => articleView(index)),
    ...(count === 0 && { nothing: 'There is nothing new.' }),
    ...(count > 2 && {
      also: { heading: 'Also new', lines: [link('ropes'), link('knots')] },
      more: link('rest'),
    }),
    readOn: 'Read on',
    why: 'You get this because you asked for it.',
    links: [link('unsubscribe'), link('web')],
    address: ['Harbour Letters', '1 Quay Street'],
  };
}

function articleView(index: number): ArticleView {
  const content = [
    { html: '<p>Some <em>markup</em>.</p><ul><li>One</li></ul>' },
    { summary: 'Tom & "Jerry" > all.' },
    {},
  ];
  return {
    title: `It's <title> no. ${index}`,
    url: `https://harbour.example/${index}?a=1&b=2`,
    lang: index % 4 === 3 ? 'he' : 'en',
    dir: index % 4 === 3 ? 'rtl' : 'ltr',
    byline: ['By Mira Sol', '6 March 2026', 'Tides'].slice(0, 1 + (index % 3)),
    ...(index % 2 === 1 && { image: { url: PIXEL, alt: 'A "buoy"' } }),
    ...content[index % 3],
  };
}

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

const TEMPLATES = resolve(import.meta.dirname, '../../templates');

/** What Handlebars and MJML themselves make of a template and a view, with nothing of our compiler between. */
export async function reference(name: string, view: object, direction: Direction): Promise<string> {
  const sources = readSources(resolve(TEMPLATES, `${name}.mjml`));
  const source = applyDirection(withIncludes(sources[0]?.path ?? '', sources), direction);
  const filled = Handlebars.compile(source, { strict: false })(view);
  const { html } = await mjml2html(filled, {
    filePath: TEMPLATES,
    actualPath: TEMPLATES,
    ignoreIncludes: false,
    validationLevel: 'strict',
    fonts: {},
    keepComments: false,
    minify: false,
    minifyOptions: { minifyCss: false },
    preprocessors: [],
  });
  return html;
}

function withIncludes(path: string, sources: Source[]): string {
  const text = withoutComments(sources.find((source) => source.path === path)?.text ?? '');
  const expanded = text.replace(/<mj-include path="([^"]+)" \/>/g, (_, target: string) =>
    withIncludes(resolve(dirname(path), target), sources),
  );
  return /<mj-body/.test(expanded) ? expanded : expanded.replace(/<\/?mjml>|<\/?mj-head>/g, '');
}

export function parse(html: string): Root {
  return unified().use(rehypeParse).parse(html);
}

/** What a reader sees: no title, no style sheet, white space collapsed. */
export function visibleText(html: string): string {
  let text = '';
  visit(parse(html), (node) => {
    if (node.type === 'element' && ['title', 'style'].includes(node.tagName)) return 'skip';
    if (node.type === 'text') text += node.value;
    if (node.type === 'element') text += ' ';
    return undefined;
  });
  return collapse(text);
}

export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function elements(html: string, tagName: string): Element[] {
  const found: Element[] = [];
  visit(parse(html), 'element', (node) => {
    if (node.tagName === tagName) found.push(node);
  });
  return found;
}

/** Targets of links, in order. */
export function hrefs(html: string): string[] {
  return elements(html, 'a').map((link) => String(link.properties.href));
}
