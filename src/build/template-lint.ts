import Handlebars from 'handlebars';
import { fault } from './template-fault.ts';
import { type Source, withoutComments } from './template-source.ts';

/** A Handlebars tag as the designer wrote it. */
export interface Tag {
  text: string;
  path: string;
  line: number;
}

/** Where in the markup the scanner stands: `element` is the last tag opened, `attribute` and `quote` the last value. */
interface Place {
  kind: 'text' | 'tag' | 'value' | 'css';
  element: string;
  attribute: string;
  quote: string;
}

/** The attributes MJML copies without looking at the value (the rest it checks, or computes with). */
const VALUE_ATTRIBUTES = ['href', 'src', 'alt', 'title', 'css-class', 'lang', 'dir'];

const EVERY_TAG = /\{\{\{[\s\S]*?\}\}\}|\{\{[\s\S]*?\}\}/g;

/**
 * Checks the Handlebars tags of one MJML file: balanced, and only where MJML passes them on unread.
 *
 * @returns the tags, in the order of the file
 * @throws Error that names file, line and what is allowed
 */
export function lintSource(source: Source): Tag[] {
  const text = withoutComments(source.text);
  parseTags(text, source.path);
  const tags: Tag[] = [];
  let place: Place = { kind: 'text', element: '', attribute: '', quote: '' };
  let line = 1;
  let end = 0;
  for (const match of text.matchAll(EVERY_TAG)) {
    const before = text.slice(end, match.index);
    place = advance(place, before);
    line += count(before, '\n');
    const tag = { text: match[0], path: source.path, line };
    checkPlace(place, tag);
    tags.push(tag);
    line += count(match[0], '\n');
    end = match.index + match[0].length;
  }
  return tags;
}

/**
 * Parses Handlebars without running it.
 *
 * @throws Error that names the file and the line Handlebars complains about
 */
export function parseTags(text: string, path: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = Number(/line (\d+)/.exec(message)?.[1] ?? /- (\d+):\d+$/.exec(message)?.[1] ?? 1);
    throw fault(path, line, `broken tag: ${message.replaceAll('\n', ' ')}`);
  }
}

/** Refuses a tag that MJML left out of its output, as it does with text between its own elements. */
export function checkNoneLost(tags: Tag[], html: string): void {
  for (const tag of tags) {
    const written = tags.filter((other) => other.text === tag.text).length;
    if (count(html, tag.text) >= written) continue;
    throw fault(
      tag.path,
      tag.line,
      `MJML drops ${tag.text} here; between MJML elements write <mj-raw>${tag.text}</mj-raw>`,
    );
  }
}

function checkPlace(place: Place, tag: Tag): void {
  if (place.kind === 'css')
    throw fault(tag.path, tag.line, `${tag.text} stands in a style sheet, where values are not allowed`);
  if (place.kind === 'tag') {
    throw fault(
      tag.path,
      tag.line,
      `${tag.text} stands inside an element's tag; allowed are text and the values of attributes`,
    );
  }
  if (place.kind === 'text') return;
  if (!VALUE_ATTRIBUTES.includes(place.attribute)) {
    const allowed = VALUE_ATTRIBUTES.join(', ');
    throw fault(tag.path, tag.line, `${tag.text} in the attribute ${place.attribute}; allowed are ${allowed}`);
  }
  if (tag.text.startsWith('{{{'))
    throw fault(tag.path, tag.line, `${tag.text} in an attribute; write it with two braces`);
  if (place.attribute === 'css-class' && /\s/.test(tag.text)) {
    throw fault(tag.path, tag.line, `${tag.text} in css-class; only a value without white space is allowed`);
  }
}

/** Moves over markup that holds no tag. */
function advance(from: Place, markup: string): Place {
  const place = { ...from };
  let rest = markup;
  while (rest !== '') rest = step(place, rest);
  return place;
}

function step(place: Place, rest: string): string {
  if (place.kind === 'value') return closeValue(place, rest);
  if (place.kind === 'tag') return stepInTag(place, rest);
  const open = (place.kind === 'css' ? /<(\/(?:mj-)?style)/i : /<(\/?[a-z!][\w-]*)/i).exec(rest);
  if (open === null) return '';
  Object.assign(place, { kind: 'tag', element: open[1] });
  return rest.slice(open.index + open[0].length);
}

function stepInTag(place: Place, rest: string): string {
  const next = /([\w:-]+)\s*=\s*(["'])|>/.exec(rest);
  if (next === null) return '';
  if (next[0] === '>') place.kind = /^(mj-)?style$/i.test(place.element) ? 'css' : 'text';
  else Object.assign(place, { kind: 'value', attribute: next[1], quote: next[2] });
  return rest.slice(next.index + next[0].length);
}

function closeValue(place: Place, rest: string): string {
  const close = rest.indexOf(place.quote);
  if (close < 0) return '';
  place.kind = 'tag';
  return rest.slice(close + 1);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
