import * as value from './feed-values.ts';

type Fields = Record<string, (field: unknown) => string | undefined>;

const isText = (check: (text: string) => string | undefined) => (field: unknown) =>
  typeof field === 'string' ? check(field) : 'J-NotAString';
const isWhole = (field: unknown) =>
  Number.isSafeInteger(field) && Number(field) > 0 ? undefined : 'J-NotAPositiveInteger';
const isSeconds = (field: unknown) => (typeof field === 'number' && field >= 0 ? undefined : 'J-NotSeconds');
const listOf =
  (required: string[], fields: Fields, code: string) =>
  (field: unknown): string | undefined => {
    if (!Array.isArray(field) || field.length === 0) return code;
    return field.flatMap((one) => objectBreaches(one, required, fields, code))[0];
  };

const AUTHORS = listOf(['name'], { name: isText(value.nonBlank), url: isText(value.webAddress) }, 'J-BadAuthors');
const HUBS = listOf(
  ['type', 'url'],
  { type: isText(value.oneOf('WebSub')), url: isText(value.webAddress) },
  'J-BadHubs',
);
const ATTACHMENTS = listOf(
  ['url', 'mime_type'],
  {
    url: isText(value.webAddress),
    mime_type: isText(value.mediaType),
    title: isText(value.nonBlank),
    size_in_bytes: isWhole,
    duration_in_seconds: isSeconds,
  },
  'J-BadAttachments',
);
const TAGS = (field: unknown) =>
  Array.isArray(field) && field.every((tag) => typeof tag === 'string' && tag.trim() !== '') ? undefined : 'J-BadTags';

const ITEM: Fields = {
  id: isText(value.iri),
  url: isText(value.webAddress),
  title: isText(value.nonBlank),
  summary: isText(value.nonBlank),
  content_html: isText((html) => value.safeHtml(html)?.replace('ContainsRelRef', 'J-RelativeRef')),
  image: isText(value.webAddress),
  date_published: isText(value.rfc3339),
  date_modified: isText(value.rfc3339),
  authors: AUTHORS,
  tags: TAGS,
  language: isText(value.language),
  attachments: ATTACHMENTS,
};
const FEED: Fields = {
  version: isText((version) => (version === 'https://jsonfeed.org/version/1.1' ? undefined : 'J-OldVersion')),
  title: isText(value.nonBlank),
  home_page_url: isText(value.webAddress),
  feed_url: isText(value.webAddress),
  description: isText(value.nonBlank),
  language: isText(value.language),
  authors: AUTHORS,
  hubs: HUBS,
  items: (field) => (Array.isArray(field) ? undefined : 'J-NoItems'),
};

/** Every breach of jsonfeed.org/version/1.1 as we use it, in a document that is served at `self`. */
export function jsonFeedBreaches(document: string, self: string): string[] {
  let feed: { feed_url?: unknown; items?: unknown };
  try {
    feed = JSON.parse(document) as typeof feed;
  } catch (error) {
    return [`J-NotJson: ${String(error)}`];
  }
  const items: unknown[] = Array.isArray(feed.items) ? feed.items : [];
  const ids = items.map((item) => (item as { id?: unknown }).id);
  return [
    ...objectBreaches(feed, ['version', 'title', 'home_page_url', 'feed_url', 'language', 'items'], FEED, 'feed'),
    ...(feed.feed_url === self ? [] : ['J-SelfMismatch']),
    ...items.flatMap((item, index) =>
      objectBreaches(
        item,
        ['id', 'url', 'title', 'content_html', 'date_published', 'date_modified'],
        ITEM,
        `items/${index}`,
      ),
    ),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `J-DuplicateId: ${String(id)}`),
  ];
}

function objectBreaches(object: unknown, required: string[], fields: Fields, path: string): string[] {
  if (typeof object !== 'object' || object === null) return [`J-NotAnObject at ${path}`];
  const missing = required.filter((name) => !(name in object)).map((name) => `J-Missing at ${path}/${name}`);
  const wrong = Object.entries(object).flatMap(([name, field]) => {
    const code = (fields[name] ?? (() => (name === 'author' ? 'J-DeprecatedAuthor' : 'J-UnknownField')))(field);
    return code === undefined ? [] : [`${code} at ${path}/${name}`];
  });
  return [...missing, ...wrong];
}
