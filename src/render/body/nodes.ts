import type { Element, ElementContent, Nodes, Properties, Text } from 'hast';

export function element(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

export function text(value: string): Text {
  return { type: 'text', value };
}

export function isElement(node: Nodes | undefined, ...tagNames: string[]): node is Element {
  return node?.type === 'element' && (tagNames.length === 0 || tagNames.includes(node.tagName));
}

/** An attribute as it was written, or undefined when absent; hast keeps some of them as numbers, lists or flags. */
export function attribute(node: Element, property: string): string | undefined {
  const value = node.properties[property];
  if (value === undefined || value === null || value === false) return undefined;
  if (value === true) return '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** Sets an attribute, or removes it when there is no value for it. */
export function setAttribute(node: Element, property: string, value: string | undefined): void {
  if (value === undefined) delete node.properties[property];
  else node.properties[property] = value;
}

/** Every element below `node`, in document order. */
export function* elementsOf(node: Nodes): Generator<Element> {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    yield child;
    yield* elementsOf(child);
  }
}

/** The first defined answer of `find`. */
export function firstDefined<Item, Answer>(
  items: readonly Item[],
  find: (item: Item) => Answer | undefined,
): Answer | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
