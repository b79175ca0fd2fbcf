import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { defaultTreeAdapter, html as names, parseFragment, type Token } from 'parse5';

/** Browsers stop at 512 levels; the recursive libraries behind us overflow the stack at a few thousand. */
const MAX_DEPTH = 400;
/**
 * Unclosed formatting elements are opened again, with their attributes, in every block: a few kilobytes can ask for
 * millions of elements. A body of 1 MiB holds less than this.
 */
const MAX_ELEMENTS = 200_000;
const MAX_ATTRIBUTE_CHARACTERS = 4 * 1024 * 1024;

/**
 * HTML as a tree, read as the content of a page's body. With scripting, as in browsers: what stands in `<noscript>` is text
 * and cannot swallow the rest of the article.
 * @throws RangeError when the input nests deeper or holds more than any article.
 */
export function parseHtml(html: string): Root {
  const body = defaultTreeAdapter.createElement('body', names.NS.HTML, []);
  const fragment = parseFragment(body, html, {
    scriptingEnabled: true,
    treeAdapter: limitedAdapter(),
  });
  const tree = fromParse5(fragment);
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}

function limitedAdapter(): typeof defaultTreeAdapter {
  let depth = 0;
  let elements = 0;
  let characters = 0;
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      elements += 1;
      characters += lengthOf(attributes);
      if (elements > MAX_ELEMENTS || characters > MAX_ATTRIBUTE_CHARACTERS) throw new RangeError('too many elements');
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

function lengthOf(attributes: Token.Attribute[]): number {
  return attributes.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
}
