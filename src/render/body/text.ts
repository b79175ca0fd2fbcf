import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toText } from 'hast-util-to-text';
import { trimEndOf } from './characters.ts';
import { attribute, elementsOf, isElement } from './nodes.ts';
import { parseHtml } from './parse.ts';
import { spellOut } from './spell.ts';

/**
 * Plain text of a rendered body: blocks parted by blank lines, list markers, quotations behind `>`, table cells between
 * bars, code as it is, a footnote's number in brackets. With `links` (the text part of a mail) a target follows its
 * label as "label (https://…)", unless they are equal, and an image shows its alternative text in brackets.
 * @throws RangeError for HTML nested hundreds of levels deep, which {@link renderBody} never makes.
 */
export function htmlToText(html: string, options: { links?: boolean } = {}): string {
  const tree: Root = parseHtml(html);
  return blocksOf(spellOut(tree, options.links ?? false)).join('\n\n');
}

type Node = RootContent | ElementContent;

const CONTAINERS = new Set(
  [
    'address article aside audio blockquote caption dd details div dl dt figcaption figure footer header hgroup li nav',
    'section summary video',
  ].flatMap((line) => line.split(' ')),
);
const BLOCKS = new Set([...CONTAINERS, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ol', 'p', 'pre', 'table', 'ul']);

function blocksOf(children: Node[]): string[] {
  const blocks: string[] = [];
  let run: Node[] = [];
  for (const child of children) {
    if (isElement(child) && BLOCKS.has(child.tagName)) {
      blocks.push(inlineText(run), ...blocksOfElement(child));
      run = [];
    } else run.push(child);
  }
  return [...blocks, inlineText(run)].filter((block) => block !== '');
}

function blocksOfElement(node: Element): string[] {
  switch (node.tagName) {
    case 'hr':
      return ['* * *'];
    case 'ol':
    case 'ul':
      return [listText(node)];
    case 'pre':
      return [trimEndOf(toText(node, { whitespace: 'pre' }), '\n')];
    case 'table':
      return [tableText(node)];
    case 'blockquote':
      return [quoted(blocksOf(node.children).join('\n\n'))];
    default:
      return CONTAINERS.has(node.tagName) ? blocksOf(node.children) : [inlineText(node.children)];
  }
}

function inlineText(run: Node[]): string {
  const lines = toText({ type: 'root', children: run as RootContent[] }).split('\n');
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Items stand close together unless one of them has several paragraphs. */
function listText(list: Element): string {
  const items = list.children.filter((child) => isElement(child, 'li'));
  const isLoose = items.some((item) => item.children.filter((child) => isElement(child, 'p')).length > 1);
  const gap = isLoose ? '\n\n' : '\n';
  const start = Number(attribute(list, 'start') ?? 1);
  return items
    .map((item, index) => {
      const marker = list.tagName === 'ul' ? '- ' : `${start + index}. `;
      return (
        marker +
        blocksOf(item.children)
          .join(gap)
          .replace(/\n(?!\n)/g, `\n${' '.repeat(marker.length)}`)
      );
    })
    .join(gap);
}

function tableText(table: Element): string {
  const rows: string[] = [];
  for (const node of elementsOf(table)) {
    if (node.tagName === 'caption') rows.push(inlineText(node.children));
    if (node.tagName !== 'tr') continue;
    const cells = node.children.filter((child) => isElement(child, 'td', 'th'));
    rows.push(cells.map((cell) => blocksOf(cell.children).join(' ')).join(' | '));
  }
  return rows.filter((row) => row !== '').join('\n');
}
