/** A character outside `Char` of XML 1.0 (section 2.2), or one of U+007F to U+009F, which feed validators report. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNFIT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Text of several lines, or HTML, that survives XML unchanged: characters it cannot hold are dropped, line ends become
 * `\n`, since a parser would make them so anyway (section 2.11). No pattern with the `u` flag runs over whole bodies
 * unless it has to; that is five times slower.
 */
export function fitForXml(value: string): string {
  const whole = value.isWellFormed() ? value : value.replace(LONE_SURROGATE, '');
  return whole.replace(/\r\n?/g, '\n').replace(UNFIT, '');
}

const HTML_REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Plain text as HTML that shows it as typed. */
export function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => HTML_REFERENCES[character] ?? character);
}
