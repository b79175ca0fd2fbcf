import type { Article } from '../domain/article.ts';
import type { StoredArticle } from '../domain/ports.ts';
import type { ArticleData } from '../domain/webhook.ts';
import { type BodySource, renderBody } from '../render/body.ts';

/** Goes up when renderBody's output changes; stored bodies are then made again from their source. */
const BODY_VERSION = 1;

/** What a stored rendering was made with. */
export function renderedFor(baseUrl: string): string {
  return `${BODY_VERSION} ${baseUrl}`;
}

/** Where an article is read: the caller's own address, else its page here. */
export function articleUrl(data: Pick<ArticleData, 'url'>, slug: string, baseUrl: string): string {
  return data.url === undefined ? `${baseUrl}articles/${encodeURIComponent(slug)}` : new URL(data.url).href;
}

type Decided = Pick<Article, 'id' | 'slug' | 'revision' | 'status' | 'publishedAt' | 'updatedAt'>;

/** An article of what the caller sent and what was decided about it; its body is sanitised here. */
export function toArticle(data: ArticleData, decided: Decided, baseUrl: string): Article {
  const url = articleUrl(data, decided.slug, baseUrl);
  return {
    ...decided,
    url,
    title: data.title,
    html: renderBody(bodyOf(data), url).html,
    authors: data.authors,
    topics: [...new Set(data.topics)],
    attachments: data.attachments ?? [],
    ...(data.summary === undefined ? {} : { summary: data.summary }),
    ...(data.language === undefined ? {} : { language: data.language }),
    ...(data.image === undefined ? {} : { image: data.image }),
    ...(data.source === undefined ? {} : { source: data.source }),
  };
}

/** The article as it should be shown now; rendered again when the stored rendering is out of date. */
export function fresh({ article, staleSource }: StoredArticle, baseUrl: string): Article {
  if (!staleSource) return article;
  const { withdrawnAt, withdrawalNote } = article;
  return {
    ...toArticle(staleSource, article, baseUrl),
    ...(withdrawnAt === undefined ? {} : { withdrawnAt }),
    ...(withdrawalNote === undefined ? {} : { withdrawalNote }),
  };
}

function bodyOf(data: ArticleData): BodySource {
  if (data.bodyMarkdown !== undefined) return { markdown: data.bodyMarkdown };
  if (data.bodyHtml !== undefined) return { html: data.bodyHtml };
  return { text: data.bodyText ?? '' };
}
