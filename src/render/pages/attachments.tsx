import type { Attachment } from '../../domain/article.ts';
import { kilobytes, megabytes } from './formats.ts';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/** Files that belong to an article, as links with their type and size. */
export function Attachments({ site, attachments }: { site: Site; attachments: Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <section class="part" aria-labelledby="attachments">
      <h2 class="small" id="attachments">
        {say(site, 'Attachments')}
      </h2>
      <ul class="ruled">
        {attachments.map((attachment) => (
          <li>
            <a href={attachment.url} type={attachment.type}>
              {attachment.title ?? fileName(attachment.url)}
            </a>{' '}
            <span class="soft">
              {attachment.type} · {size(site, attachment.length)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function fileName(url: string): string {
  const { pathname, hostname } = new URL(url);
  return pathname.split('/').at(-1) || hostname;
}

/** Bytes as people read them. */
function size({ publication: { language } }: Site, bytes: number): string {
  return bytes < 1_000_000 ? kilobytes(language).format(bytes / 1000) : megabytes(language).format(bytes / 1_000_000);
}
