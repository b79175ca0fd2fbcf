import { footerText, RULE_CHARACTERS } from './letter.ts';
import type { ArticleView, DigestView, LinkView } from './views.ts';

/** An article as both parts show it. */
export interface DigestArticle extends ArticleView {
  /** What the text part says where the HTML part has `html` or `summary`. */
  text: string;
}

/** The text part of a digest: the same articles and links as the HTML part, in the same order. Lines are not wrapped. */
export function digestText(view: DigestView, articles: DigestArticle[]): string {
  const parts = [
    underlined([view.publication, view.digest, view.issue].filter((part) => part !== undefined).join(' · ')),
    view.home,
    ...(view.correction ? [`${view.correction.heading}: ${view.correction.reason}`] : []),
    ...view.intro,
    ...(view.nothing ? [view.nothing] : []),
    ...articles.map(articleText),
    ...(view.also ? [underlined(view.also.heading), ...view.also.lines.map(linkText)] : []),
    ...(view.more ? [linkText(view.more)] : []),
    footerText(view),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function articleText({ title, byline, text, url = '' }: DigestArticle): string {
  return [`\n${underlined(title)}\n${byline.join(' · ')}`.trimEnd(), text, url]
    .filter((part) => part !== '')
    .join('\n\n');
}

function linkText({ text, url }: LinkView): string {
  return `${text}\n${url}`;
}

function underlined(line: string): string {
  return `${line}\n${'-'.repeat(Math.min(line.length, RULE_CHARACTERS))}`;
}
