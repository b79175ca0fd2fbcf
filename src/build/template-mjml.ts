import mjml2html from 'mjml';
import { components } from 'mjml-core';
import { minifyStyles } from './template-css.ts';
import { fault } from './template-fault.ts';
import { applyDirection, type Direction, type Source } from './template-source.ts';

/** One entry of the `errors` that `mjml`'s ValidationError carries. */
interface Mistake {
  line: number;
  tagName: string;
  message: string;
  formattedMessage: string;
}

/**
 * Renders an MJML template in one direction with its Handlebars tags left in place, minified.
 *
 * @throws Error with one line per mistake: file, line, tag, and what is allowed there
 */
export async function renderMjml({ path, text }: Source, direction: Direction): Promise<string> {
  const { html } = await mjml2html(text, {
    filePath: path,
    actualPath: path,
    ignoreIncludes: false,
    validationLevel: 'strict',
    fonts: {},
    keepComments: false,
    minify: true,
    minifyOptions: MINIFY_WHITE_SPACE_ONLY,
    preprocessors: [(xml) => applyDirection(xml, direction)],
  }).catch((error: unknown) => {
    throw explain(error, path);
  });
  return minifyStyles(tightenTables(html));
}

/** Attributes are left alone: a value may be a tag. */
const MINIFY_WHITE_SPACE_ONLY = {
  minifyCss: false,
  collapseAttributeWhitespace: false,
  deduplicateAttributeValues: false,
  normalizeAttributeValues: false,
  sortAttributesWithLists: false,
} as const;

/** Drops the white space beside the elements that make up MJML's tables, where it shows nowhere. */
function tightenTables(html: string): string {
  return html.replace(/\s*(<\/?(?:html|head|body|table|tbody|tr|td)\b[^>]*>)\s*/g, '$1').trim();
}

function explain(error: unknown, path: string): Error {
  const mistakes = error instanceof Error && 'errors' in error ? (error.errors as Mistake[]) : [];
  if (mistakes.length === 0) return fault(path, 1, error instanceof Error ? error.message : String(error));
  return new Error(mistakes.map((mistake) => explainOne(mistake, path).message).join('\n'));
}

function explainOne({ line, tagName, message, formattedMessage }: Mistake, path: string): Error {
  const file = /^Line \d+ of (.*?)(?:, included at .*)? \([\w-]+\)/.exec(formattedMessage)?.[1] ?? path;
  return fault(file, line, `<${tagName}> ${message}${whatIsAllowed(tagName, message)}`);
}

/** MJML tells what an attribute's value may be, but not which attributes and elements there are. */
function whatIsAllowed(tagName: string, message: string): string {
  if (/^Attributes? .* illegal$/.test(message)) {
    return `; allowed are ${Object.keys(components[tagName]?.allowedAttributes ?? {}).join(', ')}, css-class, mj-class`;
  }
  if (/^Element .* doesn't exist/.test(message)) return `; allowed are ${Object.keys(components).join(', ')}`;
  return '';
}
