import { trimEndOf } from './characters.ts';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MEDIA_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Absolute http, https, mailto or tel URL of a link, or undefined for every other scheme and for what is no URL. */
export function resolveLink(value: string, base: string): string | undefined {
  return resolve(value, base, LINK_SCHEMES);
}

/** Absolute http or https URL of something a reader loads; an empty reference names nothing. */
export function resolveMedia(value: string, base: string): string | undefined {
  return value.trim() === '' ? undefined : resolve(value, base, MEDIA_SCHEMES);
}

/** `srcset` with absolute URLs; candidates that cannot be loaded are left out, undefined when none is left. */
export function resolveSrcset(value: string, base: string): string | undefined {
  const candidates = parseSrcset(value).flatMap(({ url, descriptor }) => {
    const absolute = resolveMedia(url, base);
    return absolute === undefined ? [] : [descriptor === '' ? absolute : `${absolute} ${descriptor}`];
  });
  return candidates.length === 0 ? undefined : candidates.join(', ');
}

/** The first candidate's URL of a `srcset`, for readers that know only `src`. */
export function firstOfSrcset(value: string): string | undefined {
  return parseSrcset(value)[0]?.url;
}

/** What stands for a link without a label: its host and path. */
export function hostAndPath(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}

function resolve(value: string, base: string, schemes: ReadonlySet<string>): string | undefined {
  // The URL parser ignores tabs and line breaks anywhere, so they must not hide the two slashes from the test below.
  const written = value.replace(/[\t\n\r]/g, '').trim();
  // An article served over http (a local start) would otherwise turn //host into http.
  const url = URL.parse(/^[/\\]{2}/.test(written) ? `https:${written}` : written, base);
  return url !== null && schemes.has(url.protocol) ? url.href : undefined;
}

interface Candidate {
  url: string;
  descriptor: string;
}

/** The splitting rules of HTML, "parse a srcset attribute": a URL may hold commas, only one at its end ends it. */
function parseSrcset(value: string): Candidate[] {
  const candidates: Candidate[] = [];
  const pattern = /[\s,]*([^\s,]\S*)/y;
  for (let match = pattern.exec(value); match !== null; match = pattern.exec(value)) {
    const word = match[1] ?? '';
    const url = trimEndOf(word, ',');
    let descriptor = '';
    if (url === word) {
      const comma = value.indexOf(',', pattern.lastIndex);
      const end = comma === -1 ? value.length : comma;
      descriptor = value.slice(pattern.lastIndex, end).trim().replace(/\s+/g, ' ');
      pattern.lastIndex = end;
    }
    candidates.push({ url, descriptor });
  }
  return candidates;
}
