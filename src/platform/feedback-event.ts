import { decodeBase64 } from '../domain/base64url.ts';
import { digestAtom } from '../domain/delivery.ts';
import type { Feedback } from '../domain/feedback.ts';
import { instant, milliseconds } from '../domain/time.ts';

const MOST_CHARACTERS = 500;
const KEY = /^([A-Za-z0-9_-]+)\.(\d{1,9})\.(\d{1,9})\.([A-Za-z0-9_-]{1,64})$/;
const SLUG = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

/**
 * What a carrier says in several fields, as `Feedback.detail` wants it. Addresses in it are left out: it is kept longer
 * than the person's own record may be.
 */
export function detailOf(...parts: unknown[]): string {
  return parts
    .flat()
    .filter((part) => typeof part === 'string' && part !== '')
    .join(': ')
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
    .toWellFormed();
}

/** The address of a recipient who may be written with a name: `Ada <ada@example.org>`. */
export function recipientOf(text: string): string {
  return /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
}

/** A carrier's time in the form used here; `otherwise` when it is none. */
export function timeOf(text: string | null | undefined, otherwise: string): string {
  const time = milliseconds(text ?? '');
  return Number.isNaN(time) ? otherwise : instant(time);
}

/** The delivery behind a Message-ID of ours (`deliveryMessageId`), with or without its brackets. */
export function deliveryOfMessageId(messageId: string | null | undefined): Pick<Feedback, 'delivery'> {
  return deliveryOfKey(/^\s*<?([^<>@\s]+)@/.exec(messageId ?? '')?.[1]);
}

/** The inverse of `deliveryKey`; nothing when it is no key. */
export function deliveryOfKey(key: string | undefined): Pick<Feedback, 'delivery'> {
  const [, atom = '', number, revision, subscriberId = ''] = KEY.exec(key ?? '') ?? [];
  if (subscriberId === '') return {};
  return { delivery: { digest: digestOfAtom(atom), number: Number(number), revision: Number(revision), subscriberId } };
}

/**
 * The inverse of `digestAtom`, which is not quite unambiguous: base64url may look like a slug too. `5pel5oql` is taken for
 * the slug in another script that it encodes, since no ASCII slug is likely to encode whole three-byte characters; `acme`,
 * which would be of other lengths, for itself. Who is wrong here loses a second way to find a delivery, and no more.
 */
function digestOfAtom(atom: string): string {
  const bytes = decodeBase64(atom);
  const id = bytes && new TextDecoder().decode(bytes);
  if (!id || !SLUG.test(id) || digestAtom(id) !== atom) return atom;
  return /[A-Z_]/.test(atom) || /^[\u0800-\uffff]+$/.test(id) ? id : atom;
}
