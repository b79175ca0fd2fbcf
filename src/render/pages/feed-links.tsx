import type { FeedLink } from './views.ts';

const FORMATS: Record<FeedLink['type'], string> = {
  'application/rss+xml': 'RSS',
  'application/atom+xml': 'Atom',
  'application/feed+json': 'JSON Feed',
};

/** Feeds by the name of their format, for a place where it is clear what they carry. */
export function FeedLinks({ feeds }: { feeds: FeedLink[] }) {
  return (
    <ul class="row">
      {feeds.map((feed) => (
        <li>
          <a href={feed.url} type={feed.type} title={feed.title}>
            {FORMATS[feed.type]}
          </a>
        </li>
      ))}
    </ul>
  );
}
