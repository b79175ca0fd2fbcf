import type { Element, ElementContent, Root } from 'hast';
import { element, text } from './nodes.ts';
import { resolveLink } from './urls.ts';

/** A log or a list of values rather than an article: as one block it costs one element, not one for each line. */
const MAX_LINES = 20_000;

/** Plain text as HTML: blank lines part paragraphs, single line breaks stay, bare http(s) addresses become links. */
export function plainTextToTree(source: string): Root {
  const lines = source
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => line.trim());
  if (lines.length > MAX_LINES)
    return {
      type: 'root',
      children: [element('pre', {}, [text(lines.join('\n'))])],
    };
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  const blocks = paragraphs.filter((paragraph) => paragraph.length > 0).map(paragraphOf);
  return {
    type: 'root',
    children: blocks.flatMap((block, index) => (index === 0 ? [block] : [text('\n'), block])),
  };
}

function paragraphOf(lines: string[]): Element {
  const linked = lines.flatMap((line, index) =>
    index === 0 ? linkAddresses(line) : [element('br', {}), text('\n'), ...linkAddresses(line)],
  );
  return element('p', {}, linked);
}

function linkAddresses(line: string): ElementContent[] {
  // The addresses stand at odd places, because the pattern has one group.
  return line.split(/(https?:\/\/[^\s<>"]+)/i).flatMap((part, index) => (index % 2 === 0 ? [text(part)] : link(part)));
}

function link(written: string): ElementContent[] {
  const address = withoutPunctuation(written);
  const href = resolveLink(address, address);
  if (href === undefined) return [text(written)];
  return [element('a', { href }, [text(address)]), text(written.slice(address.length))];
}

/** What ends a sentence ends no address, and neither does a bracket that the address did not open. */
function withoutPunctuation(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!".,;:!?'*_~".includes(last)) break;
  }
  return address.slice(0, end);
}
