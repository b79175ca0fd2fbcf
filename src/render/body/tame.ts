// The Markdown parser takes quadratic time (and worse) for some input that no person writes. The limits are far above
// what articles hold, and so low that 1 MiB of the worst stays within seconds where it took hours.

/** Quotations and lists opened by one line. */
const MAX_CONTAINERS = 40;
/** Columns of white space before a list marker, which also nest lists. */
const MAX_INDENT = 200;
/** Places in one paragraph where emphasis, strikethrough, a link or raw HTML may begin. */
const MAX_MARKS = 3000;
/** Cells of all tables; short rows are filled up. */
const MAX_CELLS = 100_000;

const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_CONTAINERS + 1},}`, 'gm');
const CONTAINER = /[ \t]*(?:>|[-+*]|\d{1,9}[.)])/g;
const INDENT = new RegExp(`^[ \\t]{${MAX_INDENT + 1},}(?=[-+*>\\d])`, 'gm');
// An underscore inside a word begins nothing; long runs of backticks look for their like to the paragraph's end.
const MARK = /\*+|~+|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|\[|<[!?]|`{33,}/gu;
const FENCE = /^ {0,3}(?:`{3,}[^`]*$|~{3,})/;
const DELIMITER_ROW = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Markdown that the parser can manage: levels beyond the 40th of one line are merged into it.
 * @throws RangeError when a paragraph or a table holds more than any article's.
 */
export function tameMarkdown(markdown: string): string {
  const tamed = markdown
    .replace(CONTAINERS, (markers) => (markers.match(CONTAINER) ?? []).slice(0, MAX_CONTAINERS).join(''))
    .replace(INDENT, (spaces) => spaces.slice(0, MAX_INDENT));
  limitParagraphs(tamed);
  return tamed;
}

function limitParagraphs(markdown: string): void {
  let fence: string | undefined;
  let marks = 0;
  let columns = 0;
  let cells = 0;
  for (const line of markdown.split(/\r\n?|\n/)) {
    if (fence !== undefined) {
      if (line.trim().startsWith(fence)) fence = undefined;
      continue;
    }
    if (FENCE.test(line)) fence = line.trim().slice(0, 3);
    else if (line.trim() === '') marks = columns = 0;
    else {
      if (DELIMITER_ROW.test(line)) columns = Math.max(columns, line.split('|').length - 1);
      cells += columns;
      marks += line.match(MARK)?.length ?? 0;
    }
    if (marks > MAX_MARKS || cells > MAX_CELLS) throw new RangeError('more marks than any article holds');
  }
}
