import { type AddressObject, simpleParser } from 'mailparser';

/** What two parsers must agree on. */
export interface ParsedMail {
  /** Names in lower case, in order, repeats too. */
  headerNames: string[];
  subject: string;
  text: string;
  html: string;
  from: { name: string; address: string }[];
  to: { name: string; address: string }[];
  messageId: string;
  /** All header lines by their names, unfolded, as they were written. */
  headers: Record<string, string>;
}

/** A mail as mailparser reads it. */
export async function parsedMail(raw: Buffer): Promise<ParsedMail> {
  const { headerLines, subject = '', text = '', html, from, to, messageId = '' } = await simpleParser(raw);
  return {
    headerNames: headerLines.map(({ key }) => key),
    subject,
    text,
    html: html || '',
    from: addressesOf(from),
    to: addressesOf(to),
    messageId,
    headers: Object.fromEntries(headerLines.map(({ key, line }) => [key, unfolded(line)])),
  };
}

function addressesOf(field: AddressObject | AddressObject[] | undefined): ParsedMail['to'] {
  return [field ?? []].flat().flatMap(({ value }) => value.map(({ name, address = '' }) => ({ name, address })));
}

function unfolded(line: string): string {
  return line
    .slice(line.indexOf(':') + 1)
    .replace(/\r?\n/g, '')
    .trim();
}
