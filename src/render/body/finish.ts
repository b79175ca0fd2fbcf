import type { Element, ElementContent, Root, RootContent } from 'hast';
import { attribute, isElement } from './nodes.ts';

/** What is only known after sanitising: empty leftovers, ids used twice, line breaks the next parser would eat. */
export function finish(tree: Root): Root {
  return { type: 'root', children: finishAll(tree.children, new Set()) };
}

function finishAll<Node extends RootContent | ElementContent>(nodes: Node[], ids: Set<string>): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    const { properties } = node;
    if (Array.isArray(properties.className) && properties.className.length === 0) delete properties.className;
    const id = attribute(node, 'id');
    if (id !== undefined && (/^$|\s/.test(id) || ids.has(id))) delete properties.id;
    else if (id !== undefined) ids.add(id);
    node.children = finishAll(node.children, ids);
    if (node.tagName === 'a' && isIdle(node)) return node.children as Node[];
    const first = node.children[0];
    // HTML drops the first line break inside <pre>.
    if (node.tagName === 'pre' && first?.type === 'text' && first.value.startsWith('\n')) {
      first.value = `\n${first.value}`;
    }
    return [node];
  });
}

/** Links to nowhere, and those whose content is gone (an icon, as beside headings) unless something points at them. */
function isIdle(link: Element): boolean {
  if ('id' in link.properties) return false;
  return (
    !('href' in link.properties) || link.children.every((child) => child.type === 'text' && child.value.trim() === '')
  );
}
