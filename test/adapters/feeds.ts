import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { Entry } from '../../src/domain/article.ts';
import { renderBody } from '../../src/render/body.ts';
import { renderFeeds } from '../../src/render/feeds/documents.ts';

/** `npm run adapter:feeds`: {site, articles, now} on stdin to {rss, atom, json, errors} on stdout, for outside test runners. */

z.config(en());
const absent = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
const person = z.object({ name: z.string(), email: absent(z.string()), url: absent(z.string()) });
const image = z.object({
  url: z.string(),
  alt: absent(z.string()),
  width: absent(z.number()),
  height: absent(z.number()),
  type: absent(z.string()),
  length: absent(z.number()),
});
const attachment = z.object({
  url: z.string(),
  type: z.string(),
  length: absent(z.number()),
  title: absent(z.string()),
  durationSeconds: absent(z.number()),
});
const article = z.object({
  id: z.string(),
  url: absent(z.string()),
  title: absent(z.string()),
  summary: absent(z.string()),
  html: absent(z.string()),
  published: absent(z.string()),
  updated: absent(z.string()),
  authors: absent(z.array(person)),
  tags: absent(z.array(z.string())),
  language: absent(z.string()),
  image: absent(z.union([z.string(), image])),
  attachments: absent(z.array(attachment)),
});
const input = z.object({
  site: z.object({
    title: z.string(),
    description: z.string(),
    home: z.string(),
    language: z.string(),
    author: absent(person),
    feeds: z.object({ rss: z.string(), atom: z.string(), json: z.string() }),
    changed: absent(z.string()),
    hub: absent(z.string()),
  }),
  articles: z.array(article),
  now: z.string(),
});
type Article = z.infer<typeof article>;
type Errors = ReturnType<typeof renderFeeds>['errors'];

/** The same object without its null and undefined fields. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null | undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]: Exclude<T[K], null | undefined> };
}

function toEntry(article: Article, errors: Errors): Entry[] {
  const url = article.url ?? '';
  const publishedAt = article.published ?? '';
  try {
    const { html } = renderBody({ html: article.html ?? '' }, url);
    const picture = typeof article.image === 'string' ? { url: article.image } : article.image;
    return [
      given({
        id: article.id,
        url,
        title: article.title ?? '',
        summary: article.summary,
        html,
        authors: (article.authors ?? []).map(given),
        topics: article.tags ?? [],
        language: article.language,
        image: picture && { alt: '', ...given(picture) },
        attachments: (article.attachments ?? []).map((file) => ({ length: 0, ...given(file) })),
        publishedAt,
        updatedAt: article.updated ?? publishedAt,
      }),
    ];
  } catch (error) {
    errors.push({ id: article.id, field: 'url', message: String(error) });
    return [];
  }
}

try {
  const { site, articles, now } = z.parse(input, JSON.parse(await text(process.stdin)));
  const { feeds, changed, hub, author, ...about } = site;
  const errors: Errors = [];
  const entries = articles.flatMap((one) => toEntry(one, errors));
  const meta = given({
    ...about,
    author: author && given(author),
    urls: feeds,
    changedAt: changed,
    hubs: hub ? [hub] : [],
  });
  const documents = renderFeeds(meta, entries, now);
  const { rss, atom, json } = documents;
  process.stdout.write(`${JSON.stringify({ rss, atom, json, errors: [...errors, ...documents.errors] })}\n`);
} catch (error) {
  console.error(error instanceof z.core.$ZodError ? z.prettifyError(error) : String(error));
  process.exitCode = 1;
}
