import type { Publication } from '../domain/publication.ts';

/** The domain that mail comes from: of Message-IDs (RFC 5322 section 3.6.4) and List-Ids (RFC 2919). */
export function senderDomain({ sender }: Pick<Publication, 'sender'>): string {
  return asciiHost(sender.email.slice(sender.email.lastIndexOf('@') + 1));
}

/** A host name as A-labels (RFC 5891). */
export function asciiHost(name: string): string {
  return new URL(`http://${name}`).hostname;
}
