import PostalMime, { type Email } from 'postal-mime';
import type { MailFields } from '../../domain/transport.ts';
import { escapeHtml } from './escape.ts';
import { fillMail, type MailTemplate, slotMark } from './slots.ts';

/** A composed message, decoded once for all its recipients and cut where their own values go. */
export interface FieldsTemplate {
  /** The slots of the message, whether a field shows them or not. */
  slots: string[];
  own: Pick<MailFields, 'from' | 'replyTo' | 'subject'>;
  html: CutText;
  text: CutText;
  headers: [name: string, value: CutText][];
}

/** `parts[0]`, the value of `slots[0]`, `parts[1]` and so on. */
interface CutText {
  parts: string[];
  slots: string[];
}

/** What `MailFields` and `OutgoingMail` have fields for, what carriers set themselves, and what MIME needs (RFC 2045). */
const LEFT_OUT = /^(?:date|from|to|subject|reply-to|mime-version|content-.*)$/;

/**
 * Decodes a composed message: parsing costs some milliseconds for each, filling next to nothing. Headers without a field
 * of their own keep their encoded-words, since HTTP carriers copy the values into the message as they are.
 *
 * @throws Error when `composeMail` did not make it, or a slot stands in From, Reply-To or Subject
 */
export async function fieldsTemplate(template: MailTemplate): Promise<FieldsTemplate> {
  const slots = [...new Set(template.slots.map(({ name }) => name))];
  const nonce = nonceOf(template);
  const marks = new Map(slots.map((name) => [slotMark(name, nonce), name]));
  const marked = Object.fromEntries([...marks].map(([mark, name]) => [name, mark]));
  const mail = await PostalMime.parse(fillMail(template, marked));
  const own = ownFields(mail);
  for (const mark of marks.keys()) {
    if (JSON.stringify(own).includes(mark)) throw new Error('From, Reply-To and Subject cannot hold slots');
  }
  return {
    slots,
    own,
    html: cut(mail.html ?? '', marks),
    text: cut(mail.text ?? '', marks),
    headers: mail.headers
      .filter(({ key }) => !LEFT_OUT.test(key))
      .map(({ originalKey, value }) => [originalKey, cut(value, marks)]),
  };
}

/**
 * One recipient's message, equal to what a parser makes of `fillMail` with the same values.
 * @throws Error that names the slot whose value is missing or not allowed, as `fillMail` does
 */
export function fillFields({ slots, own, html, text, headers }: FieldsTemplate, values: Record<string, string>) {
  const plain = Object.fromEntries(slots.map((name) => [name, checkedValue(name, values)]));
  const escaped = Object.fromEntries(slots.map((name) => [name, escapeHtml(plain[name] ?? '')]));
  return {
    ...own,
    html: join(html, escaped),
    text: join(text, plain),
    // Space around a header's value is no part of it.
    headers: Object.fromEntries(headers.map(([name, value]) => [name, join(value, plain).trim()])),
  } satisfies MailFields;
}

/** The boundary holds the nonce that `composeMail` was given, so that the same marks, which no author could know, can be used again. */
function nonceOf({ parts }: MailTemplate): string {
  const nonce = /^Content-Type: multipart\/alternative;\s+boundary="?broadside-([a-z0-9]{16,64})-/im.exec(
    parts.join(''),
  )?.[1];
  if (nonce === undefined) throw new Error('the composed mail has no boundary of ours');
  return nonce;
}

function ownFields({ from, replyTo, subject = '' }: Email): FieldsTemplate['own'] {
  if (from?.address === undefined) throw new Error('the composed mail has no address in From');
  const answers = replyTo?.[0]?.address;
  return {
    from: { name: from.name, email: from.address },
    ...(answers ? { replyTo: answers } : {}),
    subject,
  };
}

function cut(text: string, marks: Map<string, string>): CutText {
  if (marks.size === 0) return { parts: [text], slots: [] };
  // With the group, every second piece is a mark.
  const pieces = text.split(new RegExp(`(${[...marks.keys()].join('|')})`));
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    slots: pieces.filter((_, index) => index % 2 === 1).map((mark) => marks.get(mark) ?? ''),
  };
}

function join({ parts, slots }: CutText, values: Record<string, string>): string {
  let text = parts[0] ?? '';
  for (const [index, name] of slots.entries()) text += `${values[name] ?? ''}${parts[index + 1] ?? ''}`;
  return text;
}

/** What `fillMail` would put into a header: the value as it is, if it is allowed at all. */
function checkedValue(name: string, values: Record<string, string>): string {
  return fillMail({ parts: ['', ''], slots: [{ name, place: 'header' }] }, values);
}
