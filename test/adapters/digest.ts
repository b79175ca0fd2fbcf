import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { Entry } from '../../src/domain/article.ts';
import { chooseArticles } from '../../src/domain/digest-selection.ts';
import { renderBody } from '../../src/render/body.ts';
import { renderDigest } from '../../src/render/mail/digest.ts';

/** `npm run adapter:digest`: {publication, digest, articles, now} on stdin to a digest as one recipient gets it, on stdout. */

z.config(en());
const optional = <T extends z.core.$ZodType>(schema: T) => z.optional(schema);
const person = z.object({ name: z.string() });
const image = z.object({ url: z.string(), alt: z._default(z.string(), '') });
const article = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  summary: optional(z.string()),
  html: z._default(z.string(), ''),
  published: z.string(),
  updated: optional(z.string()),
  authors: z._default(z.array(person), []),
  tags: z._default(z.array(z.string()), []),
  language: optional(z.string()),
  image: optional(z.union([z.string(), image])),
});
const publication = z.object({
  title: z.string(),
  description: z._default(z.string(), ''),
  home: z.string(),
  language: z._default(z.string(), 'en'),
  postalAddress: optional(z.string()),
  links: z._default(z.object({ imprint: optional(z.string()), privacy: optional(z.string()) }), {}),
  topics: z._default(z.array(z.object({ slug: z.string(), title: z.string() })), []),
});
const digest = z.object({
  id: z.string(),
  title: z.string(),
  topics: z._default(z.array(z.string()), []),
  schedule: z._default(z.object({ cron: z.string(), timezone: z.string() }), {
    cron: '0 8 * * 5',
    timezone: 'UTC',
  }),
  content: z._default(z.enum(['summary', 'full']), 'summary'),
  order: z._default(z.enum(['newest', 'oldest']), 'newest'),
  limits: z._default(z.object({ articles: z.number() }), { articles: 20 }),
  since: optional(z.string()),
});
const input = z.object({
  publication,
  digest,
  articles: z.array(article),
  now: z.string(),
  subject: optional(z.string()),
  intro: optional(z.string()),
});

/** The same object without its undefined fields. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function toEntry({ html, published, updated, tags, image: picture, ...rest }: z.infer<typeof article>): Entry {
  return given({
    ...rest,
    html: renderBody({ html }, rest.url).html,
    topics: tags,
    image: typeof picture === 'string' ? { url: picture, alt: '' } : picture,
    attachments: [],
    publishedAt: published,
    updatedAt: updated ?? published,
  });
}

function render({ publication, digest, articles, now, subject, intro }: z.infer<typeof input>): object {
  const chosen = chooseArticles(given(digest), articles.map(toEntry), now);
  if (chosen.length === 0) return { skipped: true };
  const { home: baseUrl, links, ...about } = publication;
  const mail = renderDigest({
    ...given({ subject, intro }),
    publication: { ...given(about), links: given(links), baseUrl },
    digest,
    number: 1,
    articles: chosen,
    date: now,
    links: {
      unsubscribe: `${baseUrl}unsubscribe/sample`,
      web: `${baseUrl}issues/${digest.id}/1`,
    },
  });
  return {
    subject: mail.subject,
    preheader: mail.preheader,
    html: mail.html,
    text: mail.text,
  };
}

try {
  process.stdout.write(`${JSON.stringify(render(z.parse(input, JSON.parse(await text(process.stdin)))))}\n`);
} catch (error) {
  console.error(error instanceof z.core.$ZodError ? z.prettifyError(error) : String(error));
  process.exitCode = 1;
}
