import { topicTitle } from '../../domain/publication.ts';
import { local, topicPath } from './address.ts';
import type { Site } from './views.ts';

/** Links to topics' pages; nothing when there are none. */
export function TopicLinks({ site, slugs }: { site: Site; slugs: string[] }) {
  if (slugs.length === 0) return null;
  return (
    <ul class="row">
      {slugs.map((slug) => (
        <li>
          <a href={local(site, topicPath(slug))}>{topicTitle(site.publication, slug)}</a>
        </li>
      ))}
    </ul>
  );
}
