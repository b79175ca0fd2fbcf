import type { Element, ElementContent, Root, RootContent } from 'hast';
import { keepXmlCharacters } from './characters.ts';
import { linkToEmbed, type Place, repairMedia, repairSource } from './embeds.ts';
import { repairImage, repairPicture, replaceNoscripts } from './images.ts';
import { attribute, elementsOf, isElement, setAttribute, text } from './nodes.ts';
import { resolveLink, resolveMedia } from './urls.ts';

/**
 * Rewrites what readers and mail clients cannot use into what they can, and every URL into an absolute one against
 * `base`. The result is not yet safe.
 */
export function repair(tree: Root, base: string): ElementContent[] {
  demoteHeadings(tree);
  return repairAll(tree.children, {
    base,
    inline: false,
    link: false,
    listItem: false,
  });
}

/** Elements that hold no blocks: a paragraph inside them would break them apart. */
const PHRASING = new Set(
  [
    'a abbr acronym b bdi bdo big cite code del dfn em font h1 h2 h3 h4 h5 h6 i ins kbd label mark nobr p pre q ruby s samp',
    'small span strike strong sub summary sup time tt u var',
  ].flatMap((line) => line.split(' ')),
);

/** Obsolete names that sanitising would unwrap, and what means the same today. A map, for tags named like `constructor`. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['acronym', 'abbr'],
  ['center', 'div'],
  ['dir', 'ul'],
  ['listing', 'pre'],
  ['main', 'div'],
  ['menu', 'ul'],
  ['plaintext', 'pre'],
  ['strike', 's'],
  ['tt', 'code'],
  ['xmp', 'pre'],
]);

type Node = RootContent | ElementContent;

function repairAll(children: Node[], place: Place): ElementContent[] {
  const siblings = replaceNoscripts(children, place.base);
  return siblings.flatMap((child, index) => {
    if (child.type === 'text') return [text(cleaned(child.value))];
    return isElement(child) ? repairElement(child, place, siblings[index + 1]) : [];
  });
}

function repairElement(node: Element, place: Place, next: Node | undefined): ElementContent[] {
  if (isHidden(node)) return [];
  cleanAttributes(node);
  switch (node.tagName) {
    case 'embed':
    case 'iframe':
    case 'object':
      return linkToEmbed(node, place);
    case 'input':
      return checkbox(node, place, next);
    case 'source':
    case 'track':
      return repairSource(node, place.base);
    case 'audio':
    case 'video':
      return repairMedia(node, repairAll(node.children, within(node, place)), place);
    case 'picture':
      repairPicture(node, place.base);
  }
  node.tagName = RENAMED.get(node.tagName) ?? node.tagName;
  resolveUrls(node, place.base);
  node.children = repairAll(node.children, within(node, place));
  return node.tagName === 'img' ? repairImage(node, place.base) : [node];
}

function within(node: Element, place: Place): Place {
  return {
    base: place.base,
    inline: place.inline || PHRASING.has(node.tagName),
    // One that leads nowhere will be taken away.
    link: place.link || (node.tagName === 'a' && ('href' in node.properties || 'id' in node.properties)),
    listItem: place.listItem || node.tagName === 'li',
  };
}

/** Without its attributes this would come into view; images may be hidden until a script shows them. */
function isHidden(node: Element): boolean {
  if (node.tagName === 'img' || node.tagName === 'picture') return false;
  return 'hidden' in node.properties || /(?:^|;)\s*display\s*:\s*none\b/i.test(attribute(node, 'style') ?? '');
}

function resolveUrls(node: Element, base: string): void {
  const { properties } = node;
  if ('href' in properties) setAttribute(node, 'href', resolveLink(attribute(node, 'href') ?? '', base));
  for (const name of ['background', 'cite', 'longDesc']) {
    if (name in properties) setAttribute(node, name, resolveMedia(attribute(node, name) ?? '', base));
  }
  // `name` was how anchors were written before `id`.
  if (node.tagName === 'a' && !('id' in properties)) setAttribute(node, 'id', attribute(node, 'name'));
}

/** A task's box is the only form control that says something by itself. */
function checkbox(node: Element, place: Place, next: Node | undefined): ElementContent[] {
  const isTask = place.listItem && attribute(node, 'type') === 'checkbox' && 'disabled' in node.properties;
  if (!isTask) return [];
  const box = 'checked' in node.properties ? '☑' : '☐';
  return [text(next?.type === 'text' && /^\s/.test(next.value) ? box : `${box} `)];
}

function cleanAttributes(node: Element): void {
  for (const [name, value] of Object.entries(node.properties)) {
    if (typeof value === 'string') node.properties[name] = cleaned(value);
  }
}

/** Character references bring back what was dropped from the source, and carriage returns no parser would keep. */
function cleaned(value: string): string {
  return keepXmlCharacters(value).replace(/\r\n?/g, '\n');
}

/** The page's `h1` is the article's title, so a body with one of its own moves down a level. */
function demoteHeadings(tree: Root): void {
  const headings = elementsOf(tree)
    .filter((node) => /^h[1-6]$/.test(node.tagName))
    .toArray();
  if (!headings.some((node) => node.tagName === 'h1')) return;
  for (const node of headings) node.tagName = `h${Math.min(6, Number(node.tagName.slice(1)) + 1)}`;
}
