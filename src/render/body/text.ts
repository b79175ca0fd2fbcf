import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toText } from 'hast-util-to-text';
import { visit } from 'unist-util-visit';
import { attribute, element, isElement, text } from './nodes.ts';
import { parseHtml } from './parse.ts';

/**
 * Plain text of a rendered body: blocks parted by blank lines, list markers, quotations behind `>`, code as it is.
 * With `links` (the text part of a mail) a target follows its label as "label (https://…)", an image shows its
 * alternative text in brackets and a footnote's number stands in brackets; without (summaries) these are left out.
 */
export function htmlToText(html: string, options: { links?: boolean } = {}): string {
  const tree = parseHtml(html);
  spellOut(tree, options.links ?? false);
  return blocks(tree.children, false).join('\n\n');
}

const CONTAINERS = new Set(
  'address article aside audio blockquote dd details div dl dt figcaption figure footer header hgroup nav section summary video'.split(
    ' ',
  ),
);
const BLOCKS = new Set([...CONTAINERS, ...'h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' ')]);

type Children = (RootContent | ElementContent)[];

/** The blocks of `children`; in a tight list item a line break is enough between them. */
function blocks(children: Children, tight: boolean): string[] {
  const result: string[] = [];
  let run: Children = [];
  for (const child of [...children, undefined]) {
    if (child !== undefined && !(isElement(child) && BLOCKS.has(child.tagName))) {
      run.push(child);
      continue;
    }
    result.push(inline(run), ...(isElement(child) ? block(child, tight) : []));
    run = [];
  }
  return result.filter((part) => part !== '');
}

function block(node: Element, tight: boolean): string[] {
  switch (node.tagName) {
    case 'hr':
      return ['* * *'];
    case 'ol':
    case 'ul':
      return [list(node)];
    case 'pre':
      return [toText(node, { whitespace: 'pre' }).replace(/\n+$/, '')];
    case 'table':
      return [table(node)];
    case 'blockquote':
      return [blocks(node.children, tight).join('\n\n').replace(/^/gm, '> ').replace(/^> $/gm, '>')];
  }
  return CONTAINERS.has(node.tagName) ? blocks(node.children, tight) : [inline(node.children)];
}

function inline(run: Children): string {
  const lines = toText({ type: 'root', children: run as RootContent[] }).split('\n');
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function list(node: Element): string {
  const items = node.children.filter((child) => isElement(child, 'li'));
  const loose = items.some((item) => item.children.filter((child) => isElement(child, 'p')).length > 1);
  let number = Number(attribute(node, 'start') ?? 1);
  const lines = items.map((item) => {
    const marker = node.tagName === 'ul' ? '- ' : `${number++}. `;
    const body = blocks(item.children, true).join(loose ? '\n\n' : '\n');
    return marker + body.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`);
  });
  return lines.join(loose ? '\n\n' : '\n');
}

function table(node: Element): string {
  const rows: string[] = [];
  visit(node, 'element', (row) => {
    if (row.tagName === 'caption') rows.push(inline(row.children));
    if (row.tagName !== 'tr') return;
    const cells = row.children.filter((child) => isElement(child, 'td', 'th'));
    rows.push(cells.map((cell) => blocks(cell.children, true).join(' ')).join(' | '));
  });
  return rows.filter((row) => row !== '').join('\n');
}

/** Turns what plain text cannot show into words: links, images, footnotes. */
function spellOut(tree: Root, links: boolean): void {
  const ids = idsOf(tree);
  visit(tree, 'element', (node, index, parent) => {
    if (parent === undefined || index === undefined) return;
    if (node.tagName === 'img') {
      const alt = attribute(node, 'alt')?.trim() ?? '';
      parent.children[index] = text(links && alt !== '' ? `[${alt}]` : '');
    }
    if (node.tagName === 'a') node.children = spelledLink(node, isElement(parent as Element, 'sup'), ids, links);
  });
}

function spelledLink(node: Element, raised: boolean, ids: Set<string>, links: boolean): ElementContent[] {
  const target = attribute(node, 'href');
  const label = toText(element('span', {}, node.children)).trim();
  if (target === undefined) return node.children;
  if (isInside(target, ids)) {
    if (!/[\p{L}\p{N}]/u.test(label)) return [];
    if (raised) return links ? [text(`[${label.replace(/^\[|\]$/g, '')}]`)] : [];
    return node.children;
  }
  const address = target.replace(/^(?:mailto|tel):/, '');
  if (!links || label === target || label === address || `${label}/` === target) return node.children;
  return [...node.children, text(label === '' ? target : ` (${address})`)];
}

function idsOf(tree: Root): Set<string> {
  const ids = new Set<string>();
  visit(tree, 'element', (node) => {
    const id = attribute(node, 'id');
    if (id !== undefined) ids.add(id);
  });
  return ids;
}

/** Whether a link leads to a place in this very text; browsers look for the fragment as written, then decoded. */
function isInside(target: string, ids: Set<string>): boolean {
  const fragment = target.split('#')[1];
  if (fragment === undefined || fragment === '') return false;
  return ids.has(fragment) || ids.has(decoded(fragment));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
