import type { Element, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { Article } from '../../src/domain/article.ts';
import type { IssueSummary } from '../../src/domain/content-ports.ts';
import type { Digest } from '../../src/domain/digest.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { OutboxMessage } from '../../src/domain/transport.ts';
import { articlePage } from '../../src/render/pages/article.tsx';
import { confirmPage } from '../../src/render/pages/confirm.tsx';
import { feedsPage } from '../../src/render/pages/feeds.tsx';
import { gonePage } from '../../src/render/pages/gone.tsx';
import { homePage } from '../../src/render/pages/home.tsx';
import { issuePage } from '../../src/render/pages/issue.tsx';
import { issuesPage } from '../../src/render/pages/issues.tsx';
import { notFoundPage } from '../../src/render/pages/not-found.tsx';
import { outboxMessagePage, outboxPage } from '../../src/render/pages/outbox.tsx';
import { preferencesPage } from '../../src/render/pages/preferences.tsx';
import { subscribePage } from '../../src/render/pages/subscribe.tsx';
import { topicPage } from '../../src/render/pages/topic.tsx';
import { unsubscribePage } from '../../src/render/pages/unsubscribe.tsx';
import type { FeedLink, Revision, Site } from '../../src/render/pages/views.ts';
import { welcomePage } from '../../src/render/pages/welcome.tsx';

/** Where the pages of these tests are served; nothing ever connects to it. */
export const BASE = 'https://tide.example/';

/** The three feeds below `path`, as autodiscovery lists them. */
export function feedLinks(title: string, path = ''): FeedLink[] {
  return [
    {
      title: `${title} (RSS)`,
      type: 'application/rss+xml',
      url: `${BASE}${path}rss.xml`,
    },
    {
      title: `${title} (Atom)`,
      type: 'application/atom+xml',
      url: `${BASE}${path}atom.xml`,
    },
    {
      title: `${title} (JSON Feed)`,
      type: 'application/feed+json',
      url: `${BASE}${path}feed.json`,
    },
  ];
}

export const digest: Digest = {
  id: 'weekly',
  title: 'The Weekly Tide',
  description: 'Every Saturday, if there was anything.',
  topics: [],
  schedule: { cron: '0 8 * * 6', timezone: 'Europe/Lisbon' },
  mode: 'send',
  content: 'summary',
  order: 'newest',
  limits: { articles: 20 },
};

export const site: Site = {
  publication: {
    title: 'The Tide Table',
    description: 'News from a small harbour.',
    language: 'en',
    baseUrl: BASE,
    links: {
      imprint: 'https://about.example/imprint',
      privacy: 'https://about.example/privacy',
    },
    topics: [
      {
        slug: 'boats',
        title: 'Boats & Ferries',
        description: 'Whatever floats.',
      },
    ],
    digests: [digest],
  },
  feeds: feedLinks('The Tide Table'),
};

/** The same site where people may subscribe. */
export const open: Site = { ...site, subscribe: { formToken: 'form.token' } };

/** The same with a choice: the second digest has a schedule that no sentence tells, and the third no description. */
export const choice: Site = {
  ...open,
  publication: {
    ...site.publication,
    digests: [
      digest,
      {
        ...digest,
        id: 'tides',
        title: 'Every Tide',
        description: 'Whenever the water turns.',
        schedule: { cron: '0 */6 * * *', timezone: 'Europe/Lisbon' },
      },
      {
        id: 'monthly',
        title: 'The Monthly Moon',
        topics: ['boats'],
        schedule: { cron: '30 7 1 * *', timezone: 'America/New_York' },
        mode: 'send',
        content: 'full',
        order: 'oldest',
        limits: { articles: 20 },
      },
    ],
  },
};

/** The same site for a publication in another language. */
export function siteIn(language: string, of: Site = site): Site {
  return { ...of, publication: { ...of.publication, language } };
}

const PIXELS = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const WIDE_CELLS = '<td>harbourmaster</td><td>quartermaster</td><td>coxswain-in-waiting</td>'.repeat(3);
const BODY = `<h2>Low water</h2><p>The <a href="https://sea.example/chart">chart</a> shows <code>1.2 m</code>.</p>
<pre><code>${'high low '.repeat(40)}</code></pre>
<table><thead><tr><th>Who</th><th>What</th></tr></thead><tbody><tr>${WIDE_CELLS}</tr></tbody></table>
<blockquote><p>Mind the step.</p></blockquote><ol><li>One<ul><li>Two</li></ul></li></ol>
<p>Checked twice.<sup><a href="${BASE}articles/ferry#fn-1" id="fnref-1">1</a></sup></p>
<section class="footnotes"><hr><ol><li id="fn-1"><p>By the <em>harbour office</em>.
<a href="${BASE}articles/ferry#fnref-1" class="data-footnote-backref">↩</a></p></li></ol></section>`;

export const article: Article = {
  id: 'urn:uuid:6f0c2b3e-0000-5000-8000-000000000001',
  slug: 'ferry',
  url: `${BASE}articles/ferry`,
  title: 'The ferry leaves on time',
  summary: 'For the first time since spring, all four crossings ran.',
  html: BODY,
  authors: [{ name: 'Ana Ro', url: 'https://ana.example/', email: 'ana@tide.example' }],
  topics: ['boats', 'timetables'],
  image: {
    url: PIXELS,
    alt: 'The ferry at the pier',
    width: 1200,
    height: 600,
  },
  attachments: [
    {
      url: `${BASE}files/crossing.mp3`,
      type: 'audio/mpeg',
      length: 12_345_678,
      title: 'The crossing',
    },
  ],
  source: { name: 'Harbour Office', url: 'https://office.example/' },
  publishedAt: '2026-05-05T13:30:00Z',
  updatedAt: '2026-05-05T13:30:00Z',
  revision: 1,
  status: 'published',
};

/** What a page must survive: one word that is wider than a phone. */
export const longTitle: Article = {
  ...article,
  slug: 'long',
  url: `${BASE}articles/long`,
  title: `Hafen${'donaudampfschifffahrts'.repeat(4)}gesellschaft`,
  authors: [{ name: 'Kapitän'.repeat(12) }],
};

export const history: Revision[] = [
  { revision: 1, updatedAt: '2026-05-05T13:30:00Z' },
  {
    revision: 2,
    updatedAt: '2026-05-06T08:05:00Z',
    note: 'The fare is 2 euros, not 3.',
  },
  { revision: 3, updatedAt: '2026-05-07T10:00:00Z' },
];

export const issue: Issue = {
  digest: 'weekly',
  number: 12,
  revision: 1,
  status: 'sent',
  subject: 'Four crossings and a storm',
  intro: 'Dear readers,\n\nit was a calm week.',
  articles: [article, longTitle].map((entry) => ({ ...entry, html: '' })),
  createdAt: '2026-05-09T07:00:00Z',
  releasedAt: '2026-05-09T07:00:00Z',
};

export const summary: IssueSummary = {
  digest: 'weekly',
  number: 12,
  revision: 1,
  subject: 'Four crossings and a storm',
  releasedAt: '2026-05-09T07:00:00Z',
  updatedAt: '2026-05-09T07:00:00Z',
};

export const message: OutboxMessage = {
  id: 'm1',
  to: 'reader@example.com',
  from: 'The Tide Table <letters@tide.example>',
  subject: 'Four crossings and a storm',
  messageId: '<weekly-12-1-x@tide.example>',
  kind: 'digest',
  digest: 'weekly',
  issue: 12,
  revision: 1,
  createdAt: '2026-05-09T07:00:03Z',
};

export const group = {
  title: 'Everything',
  description: 'Each article in full.',
  rss: `${BASE}rss.xml`,
  atom: `${BASE}atom.xml`,
  json: `${BASE}feed.json`,
};

/** Every page there is, in every state, for a given site. */
export function everyPage(of: Site): [name: string, html: string][] {
  const topic = {
    slug: 'boats',
    title: 'Boats & Ferries',
    description: 'Whatever floats.',
  };
  const corrected = {
    ...article,
    revision: 3,
    updatedAt: '2026-05-07T10:00:00Z',
  };
  const headers = [
    {
      name: 'List-Unsubscribe',
      value: `<${BASE}unsubscribe/${'x'.repeat(120)}>`,
    },
  ];
  return [
    [
      'home',
      homePage(of, {
        articles: [article, longTitle],
        issues: [summary],
        topics: [topic],
      }),
    ],
    ['home, empty', homePage(of, { articles: [], issues: [], topics: [] })],
    ['article', articlePage(of, { article: corrected, history })],
    ['article, long words', articlePage(of, { article: longTitle })],
    [
      'topic',
      topicPage(of, {
        topic,
        articles: [article],
        feeds: feedLinks('Boats', 'topics/boats/'),
      }),
    ],
    [
      'topic, empty',
      topicPage(of, {
        topic,
        articles: [],
        feeds: feedLinks('Boats', 'topics/boats/'),
      }),
    ],
    [
      'issues',
      issuesPage(of, {
        digests: [digest, { ...digest, id: 'monthly' }],
        issues: [summary],
      }),
    ],
    ['issues, empty', issuesPage(of, { digests: [], issues: [] })],
    ['issue', issuePage(of, { issue, digest, previous: 11, next: 13 })],
    [
      'issue, full',
      issuePage(of, {
        issue: { ...issue, revision: 2, articles: [article, longTitle] },
        digest,
      }),
    ],
    ['feeds', feedsPage(of, { groups: [group], opml: '/opml.xml' })],
    ['not found', notFoundPage(of)],
    [
      'gone',
      gonePage(of, {
        withdrawnAt: '2026-05-08T00:00:00Z',
        withdrawalNote: 'It was another ferry.',
      }),
    ],
    ['unsubscribe, ask', unsubscribePage(of, { state: 'ask', digest: digest.title, several: true })],
    [
      'unsubscribe, done',
      unsubscribePage(of, { state: 'done', digest: digest.title, preferences: '/preferences/p.token' }),
    ],
    ['unsubscribe, unknown', unsubscribePage(of, { state: 'unknown' })],
    ...subscriptionPages(of),
    ['outbox', outboxPage(of, { messages: [message] })],
    ['outbox, empty', outboxPage(of, { messages: [] })],
    [
      'outbox message',
      outboxMessagePage(of, {
        message,
        headers,
        htmlPath: '/outbox/m1.html',
        text: 'A calm week.',
      }),
    ],
    ['welcome', welcomePage({ baseUrl: BASE })],
  ];
}

/** Every page on the way from subscribing to being forgotten. */
export function subscriptionPages(of: Site): [name: string, html: string][] {
  const digests = [digest.title, 'The Monthly Moon'];
  const latest = { subject: issue.subject, url: `${BASE}issues/weekly/12` };
  const held = of.publication.digests.map(({ id, title, description }, index) => ({
    id,
    title,
    ...(description !== undefined && { description }),
    subscribed: index === 0,
  }));
  const own = { state: 'show', email: READER, digests: held } as const;
  return [
    ['subscribe', subscribePage(of, { state: 'form' })],
    ['subscribe, faulty', subscribePage(of, { state: 'form', email: 'reader@', chosen: ['monthly'], faults: FAULTS })],
    ['subscribe, sent', subscribePage(of, { state: 'sent' })],
    ['subscribe, limited', subscribePage(of, { state: 'limited' })],
    ['confirm, ask', confirmPage(of, { state: 'ask', digests })],
    ['confirm, done', confirmPage(of, { state: 'done', digests, latest })],
    ['confirm, ask for an address', confirmPage(of, { state: 'ask', digests: [] })],
    ['confirm, done for an address', confirmPage(of, { state: 'done', digests: [] })],
    ['confirm, done before any issue', confirmPage(of, { state: 'done', digests })],
    ['confirm, expired', confirmPage(of, { state: 'expired' })],
    ['confirm, unknown', confirmPage(of, { state: 'unknown' })],
    ['preferences', preferencesPage(of, own)],
    ['preferences, saved', preferencesPage(of, { ...own, said: 'saved' })],
    [
      'preferences, suppressed and faulty',
      preferencesPage(of, {
        ...own,
        suppressed: true,
        faults: [
          { field: 'email', message: 'The address has no domain.' },
          { field: 'sure', message: 'Tick the box to delete everything.' },
        ],
      }),
    ],
    ['preferences, erased', preferencesPage(of, { state: 'erased' })],
    ['preferences, unknown', preferencesPage(of, { state: 'unknown' })],
  ];
}

/** Whose page the preferences are: as long as addresses get on a phone. */
export const READER = `reader+${'tide'.repeat(12)}@post.harbour.example`;

const FAULTS: { field: 'email' | 'digest' | 'form'; message: string }[] = [
  { field: 'email', message: 'The address has no domain.' },
  { field: 'digest', message: 'Choose at least one.' },
  { field: 'form', message: 'The form had expired; press the button again.' },
];

/** A document as a browser would read it. */
export function parse(html: string): Root {
  return unified().use(rehypeParse).parse(html);
}

/** Every element below `root` with one of the names, in document order; all of them without a name. */
export function elements(root: Root | Element | undefined, ...names: string[]): Element[] {
  const found: Element[] = [];
  visit(root ?? { type: 'root', children: [] }, 'element', (element) => {
    if (names.length === 0 || names.includes(element.tagName)) found.push(element);
  });
  return found;
}

/** Those with a class, in document order. */
export function ofClass(root: Root | Element | undefined, name: string): Element[] {
  return elements(root).filter((element) => [element.properties.className].flat().includes(name));
}

/** What a reader reads there, on one line. */
export function textOf(root: Root | Element | undefined): string {
  return root ? toText(root).replace(/\s+/g, ' ').trim() : '';
}

/** The text and address of every link there, in document order. */
export function linksOf(root: Root | Element | undefined): [text: string, href: unknown][] {
  return elements(root, 'a').map((link) => [textOf(link), link.properties.href]);
}
