import type { Root as Html } from 'hast';
import type { Nodes, Root } from 'mdast';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { element, elementsOf } from './nodes.ts';
import { tameMarkdown } from './tame.ts';

/**
 * CommonMark with GitHub's extensions as HTML that is not yet safe: raw HTML stands in it as written, so that one
 * parser and one sanitiser see the whole body.
 * @throws RangeError when the parser would take minutes for it.
 */
export function markdownToHtml(markdown: string): string {
  return String(processor.processSync(tameMarkdown(markdown)));
}

/** Every use of a reference writes the whole address again: this many characters of them are more than any article's. */
const MAX_REFERENCED_CHARACTERS = 4 * 1024 * 1024;

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(() => limitReferences)
  .use(remarkRehype, {
    allowDangerousHtml: true,
    // A prefix on ids alone would part the notes from the links to them once the links are absolute.
    clobberPrefix: '',
    // U+FE0E: as a character, not as a coloured picture.
    footnoteBackContent: (_note, use) => (use > 1 ? `↩\uFE0E${use}` : '↩\uFE0E'),
  })
  .use(() => replaceNotesHeading)
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze();

function limitReferences(tree: Root): void {
  const lengths = new Map<string, number>();
  const uses: string[] = [];
  visit(tree, (node: Nodes) => {
    if (node.type === 'definition') lengths.set(node.identifier, node.url.length + (node.title?.length ?? 0));
    if (node.type === 'linkReference' || node.type === 'imageReference') uses.push(node.identifier);
  });
  const total = uses.reduce((sum, identifier) => sum + (lengths.get(identifier) ?? 0), 0);
  if (total > MAX_REFERENCED_CHARACTERS) throw new RangeError('references grow too large');
}

/** The notes' heading is English whatever the article's language: a rule says the same in all of them. */
function replaceNotesHeading(tree: Html): void {
  for (const node of elementsOf(tree)) {
    if (node.tagName === 'section' && 'dataFootnotes' in node.properties) {
      node.children = [element('hr', {}), ...node.children.slice(1)];
    }
  }
}
