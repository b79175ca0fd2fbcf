import { raw } from 'hono/html';
import type { Entry } from '../../domain/article.ts';
import { tongue } from './say.tsx';
import type { Site } from './views.ts';

/** An entry's body. It is sanitised, so it goes in as it is. */
export function Prose({ site, entry }: { site: Site; entry: Pick<Entry, 'html' | 'language'> }) {
  return (
    <div class="prose" {...tongue(site, entry)}>
      {raw(withFocus(entry.html))}
    </div>
  );
}

/** A tag as our serialiser writes it: no "<" is left bare in text, and attribute values are quoted. */
const TAG = /<(\/?[a-z][a-z0-9]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/g;

/**
 * Code and tables may be wider than a phone and then scroll, which a keyboard can do only where it has the focus (WCAG
 * 2.2, 2.1.1; Safari gives it to nothing by itself). Feeds and mails have no use for that, so it is not in the stored body.
 */
function withFocus(html: string): string {
  if (!/<(?:pre|table)/.test(html)) return html;
  return html.replace(TAG, (tag, name) =>
    name === 'pre' || name === 'table' ? `${tag.slice(0, -1)} tabindex="0">` : tag,
  );
}
