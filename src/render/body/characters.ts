// In `u` mode a lone surrogate is one code point, so the negated class drops halves and keeps whole pairs.
const OUTSIDE_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const WHITE_SPACE = /[\t\n\r \u0085\u2028\u2029]+/g;
const CONTROL = /[\p{Cc}\uFEFF]/gu;

/** Drops what no XML 1.0 document may hold (section 2.2, Char), lone surrogates among it; everything else stays. */
export function keepXmlCharacters(text: string): string {
  return text.replace(OUTSIDE_XML, '');
}

/**
 * HTML without the character references that name no character (zero and lone surrogates), for which its parser would
 * write U+FFFD. References to other characters outside XML are known only after parsing.
 */
export function dropEmptyReferences(html: string): string {
  return html.replace(/&#(?:x([0-9a-f]+)|([0-9]+));?/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? '' : reference;
  });
}

/**
 * One line of plain text, for titles, names and labels: white space collapsed (no-break spaces are kept, they are
 * typography), control characters, lone surrogates and all else outside XML 1.0 Char dropped.
 */
export function cleanText(text: string): string {
  return keepXmlCharacters(text).replace(WHITE_SPACE, ' ').replace(CONTROL, '').trim();
}

/** `text` without the characters at its end that are in `set`; a pattern like `[,]+$` takes quadratic time for this. */
export function trimEndOf(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
