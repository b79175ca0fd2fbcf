import type { MailPolicy } from '../domain/mail-policy.ts';
import type { Mailbox, Publication } from '../domain/publication.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { cleanText } from '../render/body.ts';

/** Why no digest may be mailed from here as things are; undefined when it may. */
export function mailRefusal(
  { transport, local, domain }: MailPolicy,
  publication: Pick<Publication, 'postalAddress' | 'sender'>,
): string | undefined {
  if (transport === 'outbox') {
    return local ? undefined : 'MAIL_TRANSPORT outbox only stores mail, and BASE_URL is not on this machine';
  }
  const faults = [
    ...(publication.postalAddress ? [] : ['the publication has no postalAddress, which bulk mail must show']),
    ...(isOwnDomain(senderDomain(publication), domain)
      ? []
      : [`the sender must be at ${domain} or a domain above or below it, or MAIL_DOMAIN must name the sender's`]),
  ];
  return faults.length > 0 ? faults.join('; ') : undefined;
}

/** Equal, or one within the other. A domain of one label is nobody's own. */
function isOwnDomain(sender: string, own: string): boolean {
  const within = (inner: string, outer: string) => outer.includes('.') && `.${inner}`.endsWith(`.${outer}`);
  return within(sender, own) || within(own, sender);
}

/** Who mail comes from, as headers can hold it: the name on one line, the address in its normal form. */
export function senderOf({ sender }: Pick<Publication, 'sender'>): Mailbox {
  // What looks like an encoded-word (RFC 2047) some programs decode even within quotation marks, line breaks and all.
  return { name: cleanText(sender.name).replaceAll('=?', '= ?'), email: asciiAddress(sender.email) };
}

/** Where answers go, when that is not the sender. */
export function replyToOf({ replyTo }: Pick<Publication, 'replyTo'>): string | undefined {
  return replyTo === undefined ? undefined : asciiAddress(replyTo);
}

/** Who is told of issues that wait for approval. */
export function editorOf(publication: Pick<Publication, 'editor' | 'replyTo' | 'sender'>): string {
  return asciiAddress(publication.editor ?? publication.replyTo ?? publication.sender.email);
}

/** The domain that mail comes from: of Message-IDs (RFC 5322 section 3.6.4) and List-Ids (RFC 2919). */
export function senderDomain(publication: Pick<Publication, 'sender'>): string {
  const { email } = senderOf(publication);
  return email.slice(email.lastIndexOf('@') + 1);
}

/** An address that is none we can send to stays as it is: the transport says what is wrong with it. */
function asciiAddress(email: string): string {
  return normaliseEmail(email) ?? email;
}
