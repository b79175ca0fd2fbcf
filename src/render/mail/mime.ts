import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { MimeNodeHeaders } from 'nodemailer/lib/mime-node';
import type { Mailbox } from '../../domain/publication.ts';
import { cutAtMarks, type MailTemplate, slotMark } from './slots.ts';

/** One mail before it has recipients. */
export interface ComposeInput {
  from: Mailbox;
  replyTo?: string;
  subject: string;
  html: string;
  /** May hold marks of slots, as `html` and `headers` may. */
  text: string;
  /** ISO 8601. Absent: the slot `date`, for a mail that is handed over later (`mailDate`). */
  date?: string;
  /** Makes slots and boundaries; see `slotMark`. Equal input gives equal bytes. */
  nonce: string;
  /** Names of the slots the bodies and `headers` use. `to` and `messageId` are always there, `unsubscribe` with `list`. */
  slots: string[];
  /** Set for digests, absent for a mail to one person. */
  list?: MailingList;
  /** More headers, such as `In-Reply-To`. Only `References` are written without their angle brackets, which are added. */
  headers?: Record<string, string>;
}

/** What makes a mail one of a list (RFC 2919, RFC 2369, RFC 8058). */
export interface MailingList {
  /** A domain name of its own that never changes: `weekly.example.org`. */
  id: string;
  title: string;
  archiveUrl: string;
  /** Google's Feedback-ID: up to four fields with colons between, the last naming the sender. */
  feedbackId: string;
}

/**
 * Composes a mail once for all its recipients: multipart/alternative, text first, UTF-8, quoted-printable. Slots: `to`
 * (an address), `messageId` (with its angle brackets), and for a list `unsubscribe` (an https URL).
 *
 * @throws Error that names the header whose value holds a line break or another control character, or the bad date
 */
export async function composeMail(input: ComposeInput): Promise<MailTemplate> {
  const always = [
    'to',
    'messageId',
    ...(input.list ? ['unsubscribe'] : []),
    ...(input.date === undefined ? ['date'] : []),
  ];
  const slots = [...new Set([...always, ...input.slots])];
  checkHeaders(
    {
      Subject: input.subject,
      From: input.from.name + input.from.email,
      'Reply-To': input.replyTo ?? '',
      'List-Id': input.list?.title ?? '',
    },
    /^\P{Cc}*$/u,
    'line breaks and control characters are not allowed',
  );
  const headers = headersOf(input);
  checkHeaders(headers, /^[ -~]*$/, 'only printable ASCII on one line is allowed');
  const message = new MailComposer({
    from: { name: input.from.name, address: input.from.email },
    to: { name: '', address: slotMark('to', input.nonce) },
    replyTo: input.replyTo,
    subject: unambiguous(input.subject),
    date: dateOf(input.date ?? '1970-01-01T00:00:00Z'),
    text: input.text,
    html: input.html,
    encoding: 'quoted-printable',
    boundaryPrefix: 'broadside',
    baseBoundary: input.nonce,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: asTheyAre(headers),
  });
  const built = (await message.compile().build()).toString('latin1');
  // nodemailer takes nothing but a date there.
  const raw = input.date === undefined ? built.replace(/^Date: .*$/m, `Date: ${slotMark('date', input.nonce)}`) : built;
  return cutAtMarks(raw, slots, input.nonce);
}

function headersOf({ nonce, list, headers }: ComposeInput): Record<string, string> {
  const common = {
    'Message-ID': slotMark('messageId', nonce),
    'Auto-Submitted': 'auto-generated',
    ...headers,
  };
  if (list === undefined) return common;
  return {
    ...common,
    Precedence: 'bulk',
    'List-Id': `${phrase(list.title)} <${list.id}>`,
    'List-Unsubscribe': `<${slotMark('unsubscribe', nonce)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Archive': `<${list.archiveUrl}>`,
    'Feedback-ID': list.feedbackId,
  };
}

/** RFC 5322 `phrase`: a quoted string, or encoded-words of at most 75 characters (RFC 2047). */
function phrase(title: string): string {
  if (/^[ -~]*$/.test(title)) return `"${title.replace(/["\\]/g, '\\$&')}"`;
  return encodeWord(title, 'Q', ENCODED_WORD_CHARACTERS);
}

/** A subject that looks like an encoded-word would be decoded by the reader's program: encode it. */
function unambiguous(subject: string): string {
  return subject.includes('=?') ? encodeWord(subject, 'Q', ENCODED_WORD_CHARACTERS) : subject;
}

/** Short enough to stand on the line of the header's name. */
const ENCODED_WORD_CHARACTERS = 60;

function checkHeaders(headers: Record<string, string>, allowed: RegExp, what: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!allowed.test(value)) throw new Error(`mail header ${name}: ${what}`);
  }
}

/** An instant as RFC 5322 section 3.3 writes it. @param at ISO 8601 */
export function mailDate(at: string): string {
  return dateOf(at).toUTCString().replace('GMT', '+0000');
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`mail header Date: "${text}" is no ISO 8601 time`);
  return date;
}

/** Keeps nodemailer from folding inside a mark and from encoding a URL; of References it takes nothing but the ids. */
function asTheyAre(headers: Record<string, string>): MimeNodeHeaders {
  return Object.entries(headers).map(([key, value]) => {
    if (key === 'References') return { key, value };
    return {
      key,
      value: { prepared: true, foldLines: key === 'List-Id', value },
    };
  });
}
