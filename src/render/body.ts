import type { Root } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { dropEmptyReferences, keepXmlCharacters } from './body/characters.ts';
import { finish } from './body/finish.ts';
import { markdownToHtml } from './body/markdown.ts';
import { parseHtml } from './body/parse.ts';
import { plainTextToTree } from './body/plain.ts';
import { repair } from './body/repair.ts';
import { sanitise } from './body/sanitise.ts';

export { cleanText } from './body/characters.ts';
export { firstSentences } from './body/sentences.ts';
export { htmlToText } from './body/text.ts';

/** An article's body as its publisher wrote it. */
export type BodySource = { markdown: string } | { html: string } | { text: string };

/**
 * The body as HTML that feeds, pages and mails can hold as it is: parsed, repaired, sanitised, every URL absolute
 * against `articleUrl` (itself an absolute http or https URL). Equal input gives equal bytes, and the function's own
 * output comes back unchanged. What no reader could show (nested hundreds of levels deep) comes out as plain text.
 */
export function renderBody(source: BodySource, articleUrl: string): { html: string } {
  const written = keepXmlCharacters(sourceText(source)).replace(/^\uFEFF/, '');
  if ('text' in source) return { html: serialise(plainTextToTree(written)) };
  try {
    const html = 'markdown' in source ? markdownToHtml(written) : written;
    const tree = parseHtml(dropEmptyReferences(html));
    return { html: settled(sanitise({ type: 'root', children: repair(tree, articleUrl) })) };
  } catch (error) {
    // Our own limits throw it, and so does the stack when a recursive library meets such input before them.
    if (!(error instanceof RangeError)) throw error;
    return { html: serialise(plainTextToTree(withoutTags(written))) };
  }
}

function sourceText(source: BodySource): string {
  if ('markdown' in source) return source.markdown;
  return 'html' in source ? source.html : source.text;
}

/**
 * Markup that was closed in the wrong order may read differently once it is written out (the tree builder of HTML moves
 * elements), so what is published is what a parser makes of itself. A second reading settles nearly everything.
 */
function settled(tree: Root): string {
  let html = serialise(finish(tree));
  for (let reading = 0; reading < 4; reading += 1) {
    const again = serialise(finish(parseHtml(html)));
    if (again === html) break;
    html = again;
  }
  return html;
}

function withoutTags(source: string): string {
  const unseen = /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
  return source.replace(unseen, '').replace(/<\/?[a-z][^>]*>?/gi, ' ');
}

function serialise(tree: Root): string {
  return serialiser.stringify(tree);
}

const serialiser = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze();
