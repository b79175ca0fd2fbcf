// The Markdown parser takes quadratic time, and worse, for some input that no person writes. These limits are far above
// what articles hold, and so low that 1 MiB of the worst takes seconds where it took hours.

/** Quotations and lists opened by one line. */
const MAX_CONTAINERS = 40;
/** Tabs and spaces in front of a line, which nest lists too. */
const MAX_INDENT = 80;
const MAX_LINES = 20_000;
/** Headings underlined with dashes or equals signs. */
const MAX_UNDERLINES = 500;
/** Places where emphasis, strikethrough, a link or raw HTML may begin, in one paragraph and in all. */
const MAX_PARAGRAPH_MARKS = 3000;
const MAX_MARKS = 30_000;
/** Stars, underscores or tildes in a row, within text: the parser takes them apart two at a time. */
const MAX_DELIMITER_RUN = 300;
/** Cells of all tables; short rows are filled up. */
const MAX_CELLS = 50_000;
/** Runs of more backticks than anybody types; each looks for its like to the paragraph's end. */
const MAX_LONG_RUNS = 50;

const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_CONTAINERS + 1},}`, 'gm');
const CONTAINER = /[ \t]*(?:>|[-+*]|\d{1,9}[.)])/g;
const INDENT = new RegExp(`^[ \\t]{${MAX_INDENT + 1},}`, 'gm');
// An underscore inside a word begins nothing.
const MARK = /\*+|~+|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|\[|<[!?]/gu;
const DELIMITER_RUN = new RegExp(`([*_~])\\1{${MAX_DELIMITER_RUN},}`);
/** A rule across the page may be as long as it likes. */
const THEMATIC_BREAK = /^[ \t>]*([*_-])[ \t]*(?:\1[ \t]*){2,}$/;
const LONG_RUN = /`{33,}/g;
const FENCE = /^ {0,3}(?:`{3,}[^`]*$|~{3,})/;
const UNDERLINE = /^[ \t>]*(?:-+|=+)[ \t]*$/;
const DELIMITER_ROW = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Markdown that the parser can manage: levels beyond the 40th of one line are merged into it.
 * @throws RangeError when it holds more of something than any article.
 */
export function tameMarkdown(markdown: string): string {
  const tamed = markdown
    .replace(INDENT, (spaces) => spaces.slice(0, MAX_INDENT))
    .replace(CONTAINERS, (markers) => (markers.match(CONTAINER) ?? []).slice(0, MAX_CONTAINERS).join(''));
  const lines = tamed.split(/\r\n?|\n/);
  const paragraphs = paragraphsOutsideCode(lines);
  const marks = paragraphs.map((paragraph) => sum(paragraph, (line) => countOf(line, MARK)));
  const isTooMuch =
    lines.length > MAX_LINES ||
    paragraphs.flat().some((line) => DELIMITER_RUN.test(line) && !THEMATIC_BREAK.test(line)) ||
    marks.some((count) => count > MAX_PARAGRAPH_MARKS) ||
    sum(marks, (count) => count) > MAX_MARKS ||
    sum(lines, (line) => countOf(line, LONG_RUN)) > MAX_LONG_RUNS ||
    sum(paragraphs, underlinesOf) > MAX_UNDERLINES ||
    sum(paragraphs, cellsOf) > MAX_CELLS;
  if (isTooMuch) throw new RangeError('more than any article holds');
  return tamed;
}

/** Runs of lines between blank lines and fenced code. */
function paragraphsOutsideCode(lines: string[]): string[][] {
  const paragraphs: string[][] = [[]];
  let fence: string | undefined;
  for (const line of lines) {
    const text = line.trim();
    if (fence !== undefined) {
      if (text.startsWith(fence)) fence = undefined;
    } else if (FENCE.test(line)) {
      fence = text.slice(0, 3);
      paragraphs.push([]);
    } else if (text === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs;
}

function underlinesOf(paragraph: string[]): number {
  return sum(paragraph.slice(1), (line) => (UNDERLINE.test(line) ? 1 : 0));
}

function cellsOf(paragraph: string[]): number {
  const columns = paragraph.map((line) => (DELIMITER_ROW.test(line) ? line.split('|').length - 1 : 0));
  return columns.reduce((most, count) => Math.max(most, count), 0) * paragraph.length;
}

function countOf(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
