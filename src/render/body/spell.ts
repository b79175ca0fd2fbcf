import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toText } from 'hast-util-to-text';
import { attribute, elementsOf, isElement, text } from './nodes.ts';

/** The tree with words in place of what plain text cannot show: link targets, images, footnote numbers. */
export function spellOut(tree: Root, links: boolean): Node[] {
  return spellAll(tree.children, {
    links,
    anchors: anchorsOf(tree),
    raised: false,
  });
}

type Node = RootContent | ElementContent;

interface Context {
  links: boolean;
  /** The element behind every id. */
  anchors: ReadonlyMap<string, Element>;
  /** Inside `<sup>`. */
  raised: boolean;
}

function spellAll(nodes: Node[], context: Context): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [node];
    return isElement(node) ? spell(node, context) : [];
  });
}

function spell(node: Element, context: Context): ElementContent[] {
  if (node.tagName === 'img') {
    const alt = attribute(node, 'alt')?.trim() ?? '';
    return context.links && alt !== '' ? [text(`[${alt}]`)] : [];
  }
  const raised = context.raised || node.tagName === 'sup';
  const children = spellAll(node.children, { ...context, raised });
  return node.tagName === 'a' ? spellLink(node, children, context) : [{ ...node, children }];
}

function spellLink(link: Element, children: ElementContent[], context: Context): ElementContent[] {
  const target = attribute(link, 'href');
  if (target === undefined) return children;
  const label = toText({ type: 'root', children }).trim();
  const anchor = anchorOf(target, context.anchors);
  if (anchor !== undefined) {
    if (isArrow(label)) return [];
    if (isMark(label, context.raised)) return [text(`[${label.replace(/^\[|\]$/g, '')}]`)];
    // What leads to a mark (a link or its <sup>) leads back from a note: "back", "return".
    if (anchor.tagName === 'a' || anchor.tagName === 'sup') return [];
  }
  const address = target.replace(/^(?:mailto|tel):/, '');
  if (!context.links || [target, address, trimSlash(address)].includes(label)) return children;
  return [...children, text(label === '' ? target : ` (${address})`)];
}

/** A label of symbols, with a number at most, leads from a note back to its mark. */
function isArrow(label: string): boolean {
  return /^[^\p{L}]*\p{S}[^\p{L}]*$/u.test(label);
}

function isMark(label: string, raised: boolean): boolean {
  return raised || /^\[?\p{N}+\]?$/u.test(label);
}

function trimSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address;
}

/** What a link points at in this very text; browsers look for the fragment as written, then decoded. */
function anchorOf(target: string, anchors: ReadonlyMap<string, Element>): Element | undefined {
  const fragment = target.slice(target.indexOf('#') + 1);
  return target.includes('#') ? (anchors.get(fragment) ?? anchors.get(decoded(fragment))) : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function anchorsOf(tree: Root): Map<string, Element> {
  const anchors = new Map<string, Element>();
  for (const node of elementsOf(tree)) {
    const id = attribute(node, 'id');
    if (id !== undefined) anchors.set(id, node);
  }
  return anchors;
}
