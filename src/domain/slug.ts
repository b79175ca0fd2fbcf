const MOST_CHARACTERS = 80;

/**
 * A slug of a title in any script: letters and digits, lower case, joined by hyphens. Latin accents go (`Café` is
 * `cafe`); other scripts stay as they are. Empty when the title has neither letter nor digit.
 */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/gu, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return shorten(words ?? []);
}

function shorten(words: string[]): string {
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > MOST_CHARACTERS) break;
    slug = longer;
  }
  return slug === ''
    ? Array.from(words[0] ?? '')
        .slice(0, MOST_CHARACTERS / 2)
        .join('')
    : slug;
}
