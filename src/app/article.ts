import type { Article } from '../domain/article.ts';
import type { StoredArticle } from '../domain/content-ports.ts';
import { milliseconds } from '../domain/time.ts';
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

/**
 * Articles as they should be shown now. One that cannot be shown (an unreadable date, a source that no longer renders)
 * is logged and left out, so that it takes no feed and no list down with it.
 */
export function showable(
  stored: StoredArticle[],
  { baseUrl, log }: { baseUrl: string; log: (message: string, context: Record<string, unknown>) => void },
): Article[] {
  return stored.flatMap((each) => {
    try {
      const article = fresh(each, baseUrl);
      const faulty = faultyField(article);
      if (faulty === undefined) return [article];
      log('an article cannot be shown', { id: article.id, field: faulty });
      return [];
    } catch (error) {
      log('an article cannot be shown', { id: each.article.id, error });
      return [];
    }
  });
}

function faultyField(article: Article): string | undefined {
  const dates = (['publishedAt', 'updatedAt'] as const).filter((name) => Number.isNaN(milliseconds(article[name])));
  const missing = (['url', 'title', 'html', 'authors', 'topics', 'attachments'] as const).filter(
    (name) => article[name] === undefined,
  );
  return [...dates, ...missing][0];
}

function bodyOf(data: ArticleData): BodySource {
  if (data.bodyMarkdown !== undefined) return { markdown: data.bodyMarkdown };
  if (data.bodyHtml !== undefined) return { html: data.bodyHtml };
  return { text: data.bodyText ?? '' };
}
