import type { Element, ElementContent } from 'hast';
import { cleanText } from './characters.ts';
import { isPixel, mediaSet, mediaSource } from './images.ts';
import { attribute, element, firstDefined, isElement, setAttribute, text } from './nodes.ts';
import { hostAndPath, resolveMedia } from './urls.ts';

/** Where an element stands: what may be put in its place depends on it. */
export interface Place {
  /** The article's own address. */
  base: string;
  /** Inside an element that holds no blocks. */
  inline: boolean;
  /** Inside a link, which holds no other link. */
  link: boolean;
  listItem: boolean;
}

/** A frame or plug-in becomes a link to what it would show, labelled with its title or its host and path. */
export function linkToEmbed(node: Element, place: Place): ElementContent[] {
  const url = mediaSource(node, place.base) ?? resolveMedia(attribute(node, 'data') ?? '', place.base);
  if (url === undefined || isPixel(node)) return [];
  const link = labelledLink(node, url, place);
  return place.inline ? [link] : [element('p', {}, [link])];
}

/** `<source>` and `<track>`, dropped when they name nothing that loads. */
export function repairSource(node: Element, base: string): ElementContent[] {
  setAttribute(node, 'src', mediaSource(node, base));
  setAttribute(node, 'srcSet', node.tagName === 'source' ? mediaSet(node, base) : undefined);
  return 'src' in node.properties || 'srcSet' in node.properties ? [node] : [];
}

/**
 * Sound and film stay, with controls and nothing loaded before it is asked for. Inside stands a link to the file: pages
 * and feed readers play it, mail clients that know no player show the link. `children` are repaired already.
 */
export function repairMedia(node: Element, children: ElementContent[], place: Place): ElementContent[] {
  const sources = children.filter((child) => isElement(child, 'source', 'track'));
  const own = mediaSource(node, place.base);
  const url =
    own ?? firstDefined(sources, (source) => (source.tagName === 'source' ? attribute(source, 'src') : undefined));
  if (url === undefined) return children.filter((child) => !isElement(child, 'source', 'track'));
  setAttribute(node, 'src', own);
  setAttribute(node, 'poster', resolveMedia(attribute(node, 'poster') ?? '', place.base));
  Object.assign(node.properties, { controls: true, preload: 'none' });
  node.children = [...sources, labelledLink(node, url, place)];
  return [node];
}

function labelledLink(node: Element, url: string, place: Place): ElementContent {
  const label = text(cleanText(attribute(node, 'title') ?? '') || hostAndPath(url));
  return place.link ? label : element('a', { href: url }, [label]);
}
