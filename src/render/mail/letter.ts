import type { Publication } from '../../domain/publication.ts';
import { cleanText } from '../body.ts';
import type { LinkView } from './views.ts';

/** What a mail says of the publication it comes from. */
export type Sender = Pick<
  Publication,
  'title' | 'description' | 'language' | 'baseUrl' | 'postalAddress' | 'links' | 'topics'
>;

/** The lines of the postal address, cleaned. */
export function addressLines(publication: Sender): string[] {
  return textLines(publication.postalAddress ?? '', /\r\n|\r|\n/);
}

/** The paragraphs of a longer text: what empty lines part. */
export function paragraphs(text: string): string[] {
  return textLines(text, /(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)/);
}

/** Footer links of every mail that the publication has set. */
export function legalLinks({ links }: Sender, words: { imprint: string; privacy: string }): LinkView[] {
  const imprint = links.imprint === undefined ? [] : [{ text: words.imprint, url: links.imprint }];
  const privacy = links.privacy === undefined ? [] : [{ text: words.privacy, url: links.privacy }];
  return [...imprint, ...privacy];
}

/** The foot of a text part. */
export function footerText(view: { why: string; links: LinkView[]; address: string[] }): string {
  const links = view.links.map(({ text, url }) => `${text}:\n${url}`);
  return [RULE, view.why, ...links, view.address.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Width of rules in the text part, in characters: a phone's. */
export const RULE_CHARACTERS = 48;
const RULE = '-'.repeat(RULE_CHARACTERS);

function textLines(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map(cleanText)
    .filter((line) => line !== '');
}
