import type { Digest } from '../../domain/digest.ts';
import { direction } from '../../domain/publication.ts';
import { cleanText } from '../body.ts';
import { howOften } from '../how-often.ts';
import { stringsFor } from '../strings.ts';
import { confirmationLtr, confirmationRtl } from '../templates.gen.ts';
import { addressLines, footerText, legalLinks, type Sender } from './letter.ts';
import type { ConfirmationView } from './views.ts';

/** What the mail promises; whoever makes its tokens and deletes what was not confirmed keeps it. */
const LINK_DAYS = 7;
const KEPT_DAYS = 30;

/** The digests that were asked for, and the recipient's own link to say yes. */
export interface ConfirmationInput {
  publication: Sender;
  digests: Pick<Digest, 'title' | 'description' | 'schedule'>[];
  url: string;
}

/**
 * The mail of the second step of double opt-in, with `templates/confirmation.mjml`, and its text part from the same data.
 * There is no link to unsubscribe: nothing is subscribed yet.
 */
export function renderConfirmation(input: ConfirmationInput): { subject: string; html: string; text: string } {
  const view = viewOf(input);
  const fill = direction(view.lang) === 'rtl' ? confirmationRtl : confirmationLtr;
  return { subject: view.title, html: fill(view), text: textOf(view) };
}

function viewOf({ publication, digests, url }: ConfirmationInput): ConfirmationView {
  const { language } = publication;
  const strings = stringsFor(language);
  const words = strings.confirmation;
  const title = cleanText(publication.title);
  const [first, ...others] = digests;
  return {
    lang: language,
    title: words.subject(first && others.length === 0 ? cleanText(first.title) : title),
    preheader: words.preheader,
    publication: title,
    home: publication.baseUrl,
    heading: words.heading,
    asked: words.asked(title),
    digests: digests.map((digest) => digestOf(digest, language)),
    button: { label: words.button, url },
    buttonHelp: strings.buttonHelp,
    valid: words.valid(LINK_DAYS),
    notYou: words.notYou(KEPT_DAYS),
    why: words.why(title),
    links: legalLinks(publication, strings),
    address: addressLines(publication),
  };
}

function digestOf(
  { title, description, schedule }: ConfirmationInput['digests'][number],
  language: string,
): ConfirmationView['digests'][number] {
  const about = cleanText(description ?? '');
  const rhythm = howOften(schedule, language);
  return { title: cleanText(title), ...(about !== '' && { description: about }), ...(rhythm !== '' && { rhythm }) };
}

function textOf(view: ConfirmationView): string {
  const digests = view.digests.map(({ title, description, rhythm }) =>
    [`* ${title}`, description, rhythm].filter((line) => line !== undefined).join('\n  '),
  );
  const parts = [
    view.publication,
    view.heading,
    view.asked,
    ...digests,
    `${view.button.label}:\n${view.button.url}`,
    view.valid,
    view.notYou,
    footerText(view),
  ];
  return `${parts.join('\n\n')}\n`;
}
