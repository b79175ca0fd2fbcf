import type { OutgoingMail } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { composeMail } from '../render/mail/mime.ts';
import { fillMail } from '../render/mail/slots.ts';
import { replyToOf, senderDomain, senderOf } from './sender.ts';

export interface LetterDeps {
  newId: () => string;
}

/** A mail to one person, about a thing they did or must decide. */
export interface Letter {
  /** Same for the same mail: names its Message-ID too. Letters, digits and hyphens. */
  id: string;
  to: string;
  /** ISO 8601. */
  date: string;
  subject: string;
  html: string;
  text: string;
}

/** Composes a letter, ready for a transport. */
export async function letter(
  { newId }: LetterDeps,
  publication: Publication,
  { id, to, date, subject, html, text }: Letter,
): Promise<OutgoingMail> {
  const from = senderOf(publication);
  const replyTo = replyToOf(publication);
  const messageId = `<${id}@${senderDomain(publication)}>`;
  const template = await composeMail({
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    html,
    text,
    date,
    nonce: newId().replaceAll('-', ''),
    slots: [],
  });
  return {
    id,
    kind: 'notice',
    from: from.email,
    to,
    subject,
    messageId,
    raw: fillMail(template, { to, messageId }),
  };
}
