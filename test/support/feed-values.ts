import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { Check } from './feed-grammar.ts';

const matching =
  (pattern: RegExp, code: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : code;

export const anything: Check = () => undefined;
export const nonBlank = matching(/\S/, 'NotBlank');
export const mediaType = matching(/^[^\s()<>,;:\\"/[\]?=]+\/[^\s()<>,;:\\"/[\]?=]+$/, 'InvalidMIMEAttribute');
export const positive = matching(/^[1-9]\d*$/, 'InvalidPositiveInteger');
export const language = matching(/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i, 'InvalidLanguage');
export const mailAddress = matching(/^[^\s@()<>]+@[^\s@()<>]+\.[^\s@()<>.]+$/, 'InvalidAddrSpec');
export const mailWithName = matching(/^[^\s@()<>]+@[^\s@()<>]+\.[^\s@()<>.]+ \(.+\)$/s, 'EmailFormat');
export const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(value) ? undefined : 'InvalidValue';

/** RFC 3986 with ASCII only, absolute, on the web. */
export const webAddress: Check = (value) =>
  /^https?:\/\/[\w.-]+(:\d+)?(\/[!-~]*)?(\?[!-~]*)?$/i.test(value) &&
  !/[<>"{}|\\^`\s]/.test(value) &&
  URL.canParse(value)
    ? undefined
    : 'InvalidFullLink';

/** RFC 3987, absolute. */
export const iri = matching(/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]+$/iu, 'InvalidFullLink');

/** RFC 3339 with a time zone, and the date exists. */
export const rfc3339: Check = (value) => {
  const day = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(value)?.[1];
  const exists = day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists && !Number.isNaN(Date.parse(value)) ? undefined : 'InvalidRFC3339Date';
};

/** RFC 822 with a four-digit year, and the weekday is the right one. */
export const rfc822: Check = (value) => {
  const form =
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
  if (!form.test(value) || Number.isNaN(Date.parse(value))) return 'InvalidRFC2822Date';
  return new Date(value).toUTCString() === value ? undefined : 'IncorrectDOW';
};

const ADDRESSES = new Set('action background cite data formAction href longDesc poster src srcSet'.split(' '));
const RISKY = new Set('applet base embed form frame iframe input link meta object script style'.split(' '));
const fragment = unified().use(rehypeParse, { fragment: true });

/** HTML that runs nothing and refers to nothing relative. */
export const safeHtml: Check = (value) => {
  let code: string | undefined;
  visit(fragment.parse(value), 'element', ({ tagName, properties }) => {
    if (RISKY.has(tagName)) code ??= 'SecurityRisk';
    for (const [name, content] of Object.entries(properties)) {
      if (/^on/i.test(name) || /^\s*(javascript|vbscript|data:text)/i.test(String(content)))
        code ??= 'SecurityRiskAttr';
      if (ADDRESSES.has(name) && !referencesOf(String(content)).every((one) => /^[a-z][a-z0-9+.-]*:/i.test(one))) {
        code ??= 'ContainsRelRef';
      }
    }
  });
  return code;
};

/** One address, or the candidates of a `srcset`. */
function referencesOf(content: string): string[] {
  return content.trim().split(/\s+[\d.]+[wx]\s*,\s*/);
}
