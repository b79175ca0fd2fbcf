import type { Comment, Element, ElementContent, RootContent, Text } from 'hast';
import { attribute, elementsOf, firstDefined, isElement, setAttribute, text } from './nodes.ts';
import { parseHtml } from './parse.ts';
import { firstOfSrcset, resolveMedia, resolveSrcset } from './urls.ts';

/** Where lazy loaders keep the address until a script runs; readers run none. The first that holds one is used. */
const LAZY_SOURCES = ['dataSrc', 'dataLazySrc', 'dataOriginal'];
const LAZY_SETS = ['dataSrcset', 'dataLazySrcset', 'dataOriginalSet'];

/** The address a lazy loader would put into `src`, else `src` itself: absolute, or undefined when nothing loads. */
export function mediaSource(node: Element, base: string): string | undefined {
  return firstDefined([...LAZY_SOURCES, 'src'], (name) => resolveMedia(attribute(node, name) ?? '', base));
}

/** The same for `srcset`. */
export function mediaSet(node: Element, base: string): string | undefined {
  return firstDefined([...LAZY_SETS, 'srcSet'], (name) => resolveSrcset(attribute(node, name) ?? '', base));
}

/** Whether its size says that nobody is meant to see it: trackers come as such images and frames. */
export function isPixel(node: Element): boolean {
  return ['width', 'height'].every((name) => Number.parseFloat(attribute(node, name) ?? '') <= 1);
}

/** An image as it looks after its loader ran; one that can never load leaves its alternative text, a pixel nothing. */
export function repairImage(image: Element, base: string): ElementContent[] {
  const source = imageSource(image, base);
  const alt = attribute(image, 'alt') ?? '';
  if (source === undefined) return alt.trim() === '' ? [] : [text(alt)];
  if (isPixel(image)) {
    if (!isLazy(image)) return [];
    // The size is the placeholder's.
    setAttribute(image, 'width', undefined);
    setAttribute(image, 'height', undefined);
  }
  setAttribute(image, 'srcSet', mediaSet(image, base));
  setAttribute(image, 'src', source);
  setAttribute(image, 'alt', alt);
  return [image];
}

/** `<picture>` whose own image waits for a script: it borrows the first source's picture. */
export function repairPicture(picture: Element, base: string): void {
  const image = picture.children.find((child) => isElement(child, 'img'));
  if (image === undefined || imageSource(image, base) !== undefined) return;
  const sources = picture.children.filter((child) => isElement(child, 'source'));
  const set = firstDefined(sources, (source) => mediaSet(source, base));
  if (set !== undefined) setAttribute(image, 'src', firstOfSrcset(set));
}

type Sibling = RootContent | ElementContent;

/**
 * `<noscript>` holds what a page without scripts shows. Of that, images alone are kept, and only where the element
 * beside it shows none; other text there talks about scripts.
 */
export function replaceNoscripts(siblings: Sibling[], base: string): Sibling[] {
  if (!siblings.some((node) => isElement(node, 'noscript'))) return siblings;
  const visible = siblings.filter((node) => !isBlank(node));
  const replacements = new Map<Sibling, Element[]>();
  for (const [index, node] of visible.entries()) {
    if (!isElement(node, 'noscript')) continue;
    const neighbours = [visible[index - 1], visible[index + 1]].filter((other) => isElement(other));
    const images = neighbours.some((other) => shownImages(other, base).length > 0) ? [] : shownImages(node, base);
    replacements.set(node, images);
    const placeholder = neighbours.find((other) => isElement(other, 'img'));
    if (placeholder !== undefined && images.length > 0) replacements.set(placeholder, []);
  }
  return siblings.flatMap((node) => replacements.get(node) ?? [node]);
}

function shownImages(node: Element, base: string): Element[] {
  if (node.tagName === 'img') return isShown(node, base) ? [node] : [];
  const [first] = node.children;
  const content = node.tagName === 'noscript' && first?.type === 'text' ? parseHtml(first.value) : node;
  return elementsOf(content)
    .filter((child) => child.tagName === 'img' && isShown(child, base))
    .toArray();
}

function isShown(image: Element, base: string): boolean {
  return imageSource(image, base) !== undefined && (isLazy(image) || !isPixel(image));
}

function isLazy(image: Element): boolean {
  return LAZY_SOURCES.some((name) => name in image.properties);
}

function imageSource(image: Element, base: string): string | undefined {
  return mediaSource(image, base) ?? firstOfSrcset(mediaSet(image, base) ?? '');
}

function isBlank(node: Sibling): node is Comment | Text {
  return node.type === 'comment' || (node.type === 'text' && node.value.trim() === '');
}
