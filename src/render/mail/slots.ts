import { escapeHtml } from './escape.ts';

/**
 * A composed message (RFC 5322, CRLF) cut where a recipient's own values go: `parts[0]`, the value of `slots[0]`,
 * `parts[1]` and so on. Plain data, to be stored as JSON with the issue.
 */
export interface MailTemplate {
  parts: string[];
  slots: Slot[];
}

/** The place decides how a value is written: as it is, quoted-printable, or that after HTML escaping. */
interface Slot {
  name: string;
  place: 'header' | 'text' | 'html';
}

const SOFT_BREAK = '=\r\n';
/** RFC 2045 section 6.7 allows 76, and the last is the `=` of a soft line break. */
const QP_LINE_CHARACTERS = 75;
/** RFC 5322 section 2.1.1 allows 998 a line; the rest is for the header's name and brackets. */
const VALUE_CHARACTERS_MAX = 900;

/**
 * The text that stands for a recipient's value until `fillMail`. Letters and digits only, so that neither HTML nor
 * quoted-printable encodes it; `nonce` keeps it out of anybody's articles.
 *
 * @param name letters only
 * @param nonce at least 16 lower-case letters and digits that no author can know
 */
export function slotMark(name: string, nonce: string): string {
  if (!/^[a-z]+$/i.test(name)) throw new Error(`slot name "${name}": only letters are allowed`);
  if (!/^[a-z0-9]{16,64}$/.test(nonce))
    throw new Error('slot nonce: 16 to 64 lower-case letters and digits are allowed');
  return `zq${nonce}0${name}0`;
}

/** Cuts a composed message at its marks, wherever quoted-printable put soft line breaks into them. */
export function cutAtMarks(raw: string, names: string[], nonce: string): MailTemplate {
  const patterns = names.map((name) => `(${[...slotMark(name, nonce)].join('(?:=\\r\\n)?')})`);
  const bodyStart = raw.indexOf('\r\n\r\n');
  const htmlStart = startOfHtml(raw, nonce);
  const template: MailTemplate = { parts: [], slots: [] };
  let part = '';
  let end = 0;
  for (const match of raw.matchAll(new RegExp(patterns.join('|'), 'g'))) {
    const name = names[match.slice(1).findIndex((group) => group !== undefined)] ?? '';
    const place = match.index < bodyStart ? 'header' : match.index < htmlStart ? 'text' : 'html';
    part += raw.slice(end, match.index);
    end = match.index + match[0].length;
    template.parts.push(place === 'header' ? part : withSoftBreak(part));
    template.slots.push({ name, place });
    part = place === 'header' || /^=?\r\n/.test(raw.slice(end, end + 3)) ? '' : SOFT_BREAK;
  }
  template.parts.push(part + raw.slice(end));
  return template;
}

/**
 * One recipient's message, ready for the wire.
 *
 * @param values one for every slot of the template: printable ASCII, at most 900 characters
 * @throws Error that names the slot whose value is missing or not allowed
 */
export function fillMail(template: MailTemplate, values: Record<string, string>): string {
  let raw = template.parts[0] ?? '';
  for (const [index, { name, place }] of template.slots.entries()) {
    const value = checked(name, values[name]);
    raw += place === 'header' ? value : quotedPrintable(place === 'html' ? escapeHtml(value) : value);
    raw += template.parts[index + 1];
  }
  return raw;
}

function checked(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`mail slot "${name}": no value was given`);
  if (!/^[ -~]*$/.test(value)) throw new Error(`mail slot "${name}": only printable ASCII on one line is allowed`);
  if (value.length > VALUE_CHARACTERS_MAX)
    throw new Error(`mail slot "${name}": at most ${VALUE_CHARACTERS_MAX} characters are allowed`);
  return value;
}

/** The nonce in the boundary keeps an article that quotes MIME from being taken for the HTML part. */
function startOfHtml(raw: string, nonce: string): number {
  const start = raw.search(new RegExp(`^--.*${nonce}.*\\r\\nContent-Type: text/html`, 'm'));
  if (start < 0) throw new Error('the composed mail has no HTML part');
  return start;
}

function withSoftBreak(part: string): string {
  return part.endsWith('\r\n') ? part : part + SOFT_BREAK;
}

/** Quoted-printable (RFC 2045 section 6.7) of an ASCII value that has its lines to itself. */
function quotedPrintable(value: string): string {
  const lines: string[] = [];
  let line = '';
  for (const character of value) {
    const encoded = /[!-<>-~]/.test(character) ? character : `=${character.charCodeAt(0).toString(16).toUpperCase()}`;
    if (line.length + encoded.length > QP_LINE_CHARACTERS) {
      lines.push(line);
      line = '';
    }
    line += encoded;
  }
  return [...lines, line].join(SOFT_BREAK);
}
