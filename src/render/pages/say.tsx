import type { Child } from 'hono/jsx';
import { directions } from './formats.ts';
import type { Site } from './views.ts';

/** What the pages themselves say is English; within a publication in another language it is marked so (WCAG 2.2, 3.1.2). */
export function say(site: Site, text: string): Child {
  if (/^en\b/i.test(site.publication.language)) return text;
  return (
    <span lang="en" dir="ltr">
      {text}
    </span>
  );
}

/** `lang` and `dir` for an element that holds an entry's own words; empty when those are in the publication's language. */
export function tongue(site: Site, entry: { language?: string }): { lang?: string; dir?: 'ltr' | 'rtl' } {
  const { language } = entry;
  if (language === undefined || language === site.publication.language) return {};
  return { lang: language, dir: directions(language) };
}
