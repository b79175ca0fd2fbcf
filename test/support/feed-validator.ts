import { fromXml } from 'xast-util-from-xml';
import { breaches, elementsOf, type Rule, textOf, type XmlElement } from './feed-grammar.ts';
import { jsonFeedBreaches } from './feed-json.ts';
import * as value from './feed-values.ts';

/**
 * A strict validator of the feeds we write, after the rules and with the codes of the W3C feed validator (JSON Feed:
 * our own, `J-…`). It knows only the elements and namespaces we use; everything else is a complaint.
 */
export type FeedFormat = 'rss' | 'atom' | 'json';

/** All complaints about a document that is served at `self`, as "Code at place: value"; empty when it is valid. */
export function complaints(format: FeedFormat, document: string, self: string): string[] {
  if (format === 'json') return jsonFeedBreaches(document, self);
  let root: XmlElement | undefined;
  try {
    root = fromXml(document).children.find((node) => node.type === 'element');
  } catch (error) {
    return [`SAXError: ${String(error)}`];
  }
  if (!root) return ['SAXError: no root'];
  return format === 'rss' ? rssBreaches(root, self) : atomBreaches(root, self);
}

const text: Rule = { text: value.nonBlank };
const url: Rule = { text: value.webAddress };
const html: Rule = { text: value.safeHtml };
const description: Rule = { attributes: { 'type!': value.oneOf('plain') }, text: value.nonBlank };
const measures = { width: value.positive, height: value.positive };
const media = {
  'media:thumbnail': ['*', { attributes: { 'url!': value.webAddress, ...measures } }],
  'media:content': [
    '*',
    {
      attributes: {
        'url!': value.webAddress,
        fileSize: value.positive,
        type: value.mediaType,
        medium: value.oneOf('image', 'audio', 'video', 'document', 'executable'),
        duration: value.anything,
        ...measures,
      },
      children: { 'media:title': ['?', description], 'media:description': ['?', description] },
    },
  ],
} satisfies Rule['children'];
const link: Rule = {
  attributes: {
    'href!': value.webAddress,
    'rel!': value.oneOf('alternate', 'self', 'hub', 'enclosure'),
    type: value.mediaType,
    length: value.positive,
    title: value.nonBlank,
  },
};

const rssItem: Rule = {
  children: {
    title: ['1', text],
    link: ['1', url],
    guid: ['1', { attributes: { isPermaLink: value.oneOf('false') }, text: value.iri }],
    pubDate: ['1', { text: value.rfc822 }],
    'atom:updated': ['?', { text: value.rfc3339 }],
    'dc:creator': ['*', text],
    'dc:language': ['?', { text: value.language }],
    category: ['*', text],
    description: ['1', html],
    'content:encoded': ['?', html],
    enclosure: ['?', { attributes: { 'url!': value.webAddress, 'length!': value.positive, 'type!': value.mediaType } }],
    ...media,
  },
};
const rss: Rule = {
  attributes: { 'version!': value.oneOf('2.0') },
  children: {
    channel: [
      '1',
      {
        children: {
          title: ['1', text],
          link: ['1', url],
          description: ['1', text],
          language: ['1', { text: value.language }],
          managingEditor: ['?', { text: value.mailWithName }],
          lastBuildDate: ['1', { text: value.rfc822 }],
          docs: ['?', url],
          'atom:link': ['+', link],
          item: ['*', rssItem],
        },
      },
    ],
  },
};

const person: Rule = {
  children: { name: ['1', text], uri: ['?', url], email: ['?', { text: value.mailAddress }] },
};
const atomEntry: Rule = {
  children: {
    id: ['1', { text: value.iri }],
    title: ['1', text],
    published: ['1', { text: value.rfc3339 }],
    updated: ['1', { text: value.rfc3339 }],
    author: ['*', person],
    link: ['+', link],
    category: ['*', { attributes: { 'term!': value.nonBlank, label: value.nonBlank } }],
    summary: ['?', text],
    content: ['1', { attributes: { 'type!': value.oneOf('html') }, text: value.safeHtml }],
    ...media,
  },
};
const atom: Rule = {
  children: {
    id: ['1', { text: value.iri }],
    title: ['1', text],
    subtitle: ['?', text],
    updated: ['1', { text: value.rfc3339 }],
    author: ['+', person],
    link: ['+', link],
    entry: ['*', atomEntry],
  },
};

function rssBreaches(root: XmlElement, self: string): string[] {
  const channel = elementsOf(root)[0];
  const all = channel ? elementsOf(channel) : [];
  const items = all.filter((node) => node.name === 'item');
  const links = all.filter((node) => node.name === 'atom:link');
  return [
    ...breaches(root, rss),
    ...namespaceBreaches(root, ['atom', 'content', 'dc', 'media']),
    ...selfBreaches(links, self, 'MissingAtomSelfLink'),
    ...repeated(items.map((item) => child(item, 'guid'))),
    ...items.flatMap((item, index) => {
      const order = elementsOf(item).map((node) => node.name);
      const content = order.indexOf('content:encoded');
      return content >= 0 && content < order.indexOf('description')
        ? [`NeedDescriptionBeforeContent at item[${index}]`]
        : [];
    }),
    ...(items.length > 0 && all.at(-1)?.name !== 'item' ? ['MisplacedItem'] : []),
  ];
}

function atomBreaches(root: XmlElement, self: string): string[] {
  const all = elementsOf(root);
  const entries = all.filter((node) => node.name === 'entry');
  const ofFeed = all.filter((node) => node.name === 'link');
  const dates = entries.map((entry) => child(entry, 'updated'));
  return [
    ...breaches(root, atom),
    ...namespaceBreaches(root, ['media']),
    ...(root.attributes.xmlns === 'http://www.w3.org/2005/Atom' ? [] : ['InvalidNamespace at feed']),
    ...(value.language(String(root.attributes['xml:lang'])) ? ['InvalidLanguage at feed'] : []),
    ...selfBreaches(ofFeed, self, 'MissingSelf'),
    ...[root, ...entries].flatMap((node) => {
      const alternates = elementsOf(node).filter((one) => one.name === 'link' && one.attributes.rel === 'alternate');
      return alternates.length === 1 ? [] : [`DuplicateAtomLink at ${node.name}`];
    }),
    ...repeated([child(root, 'id'), ...entries.map((entry) => child(entry, 'id'))]),
    ...dates
      .filter((date) => Date.parse(date) > Date.parse(child(root, 'updated')))
      .map(() => 'X-FeedOlderThanEntry at feed'),
  ];
}

const NAMESPACES: Record<string, string> = {
  atom: 'http://www.w3.org/2005/Atom',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  media: 'http://search.yahoo.com/mrss/',
};

function namespaceBreaches(root: XmlElement, prefixes: string[]): string[] {
  const wrong = prefixes.filter((prefix) => root.attributes[`xmlns:${prefix}`] !== NAMESPACES[prefix]);
  return wrong.map((prefix) => `MissingNamespace: ${prefix}`);
}

function selfBreaches(links: XmlElement[], self: string, missing: string): string[] {
  const found = links.filter((one) => one.attributes.rel === 'self');
  if (found.length !== 1) return [missing];
  return found[0]?.attributes.href === self ? [] : ['SelfDoesntMatchLocation'];
}

function repeated(ids: string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `DuplicateValue: ${id}`);
}

function child(node: XmlElement, name: string): string {
  return textOf(elementsOf(node).find((one) => one.name === name));
}
