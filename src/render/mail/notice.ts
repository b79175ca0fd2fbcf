import { direction } from '../../domain/publication.ts';
import { cleanText } from '../body.ts';
import { stringsFor } from '../strings.ts';
import { noticeLtr, noticeRtl } from '../templates.gen.ts';
import { addressLines, footerText, legalLinks, type Sender } from './letter.ts';
import type { NoticeView } from './views.ts';

/** A small mail to one person; `subject` is also its heading. */
export interface NoticeInput {
  publication: Sender;
  subject: string;
  /** Plain text, each a paragraph. */
  paragraphs: string[];
  button?: { label: string; url: string };
}

/** Renders a notice with `templates/notice.mjml`, and the text part from the same data. */
export function renderNotice({ publication, subject, paragraphs, button }: NoticeInput): {
  subject: string;
  html: string;
  text: string;
} {
  const strings = stringsFor(publication.language);
  const title = cleanText(publication.title);
  const view: NoticeView = {
    lang: publication.language,
    title: cleanText(subject),
    preheader: title,
    publication: title,
    home: publication.baseUrl,
    paragraphs: paragraphs.map(cleanText),
    ...(button && { button }),
    buttonHelp: strings.buttonHelp,
    why: strings.sentBy(title),
    links: legalLinks(publication, strings),
    address: addressLines(publication),
  };
  const html = direction(publication.language) === 'rtl' ? noticeRtl(view) : noticeLtr(view);
  const parts = [
    view.title,
    ...view.paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    footerText(view),
  ];
  return { subject: view.title, html, text: `${parts.join('\n\n')}\n` };
}
