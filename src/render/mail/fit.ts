/** How many articles are shown with their text, and how many of the rest as a line with a link. */
export interface Fit {
  full: number;
  lines: number;
}

/** With room for this many lines left, the reader still learns what else is new. */
const LINES_RESERVED = 10;

/**
 * As many whole articles as fit (and are allowed), then as many lines as fit. A longer issue is never smaller, so the
 * greatest that fits is found by bisection.
 *
 * @param fits whether an issue of so many articles and lines is small enough
 */
export function fitArticles(count: number, limit: number, fits: (fit: Fit) => boolean): Fit {
  const full = greatest(Math.min(limit, count), (n) => fits({ full: n, lines: Math.min(count - n, LINES_RESERVED) }));
  const lines = greatest(count - full, (n) => fits({ full, lines: n }));
  return { full, lines };
}

function greatest(most: number, fits: (n: number) => boolean): number {
  if (fits(most)) return most;
  let low = 0;
  let high = most;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
