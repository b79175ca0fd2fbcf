import type { fromXml } from 'xast-util-from-xml';

type Root = ReturnType<typeof fromXml>;
export type XmlElement = Extract<Root['children'][number], { type: 'element' }>;

/** The code of what is wrong with a value, or undefined. Codes are those of the W3C feed validator where it has one. */
export type Check = (value: string) => string | undefined;

export interface Rule {
  /** Allowed attributes; `xml:lang` and namespace declarations always are. A name that ends in `!` is required. */
  attributes?: Record<string, Check>;
  /** Allowed child elements with how often: `1`, `?`, `*` or `+`. None means: text only. */
  children?: Record<string, [count: '1' | '?' | '*' | '+', rule: Rule]>;
  text?: Check;
}

/** Every breach of the rule in the element and below it, as "Code at path: value". */
export function breaches(node: XmlElement, rule: Rule, path = node.name): string[] {
  return [
    ...attributeBreaches(node, rule, path),
    ...textBreaches(node, rule, path),
    ...childBreaches(node, rule, path),
  ];
}

export function elementsOf(node: XmlElement): XmlElement[] {
  return node.children.filter((child) => child.type === 'element');
}

export function textOf(node: XmlElement | undefined): string {
  return (node?.children ?? [])
    .map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : ''))
    .join('');
}

function attributeBreaches(node: XmlElement, { attributes = {} }: Rule, path: string): string[] {
  const present = Object.entries(node.attributes).filter(([name]) => !/^xmlns(:|$)|^xml:lang$/.test(name));
  const required = Object.keys(attributes).filter((name) => name.endsWith('!'));
  const missing = required.filter((name) => !(name.slice(0, -1) in node.attributes));
  return [
    ...missing.map((name) => `MissingAttribute at ${path}@${name.slice(0, -1)}`),
    ...present.flatMap(([name, value]) => {
      const check = attributes[name] ?? attributes[`${name}!`] ?? (() => 'UnexpectedAttribute');
      return breach(check, String(value), `${path}@${name}`);
    }),
  ];
}

function textBreaches(node: XmlElement, { children, text }: Rule, path: string): string[] {
  const value = textOf(node);
  if (/[\u0080-\u009f]/.test(value)) return [`BadCharacters at ${path}`];
  if (children) return value.trim() === '' ? [] : [`UnexpectedText at ${path}: ${value.trim().slice(0, 40)}`];
  return text ? breach(text, value, path) : breach((none) => (none === '' ? undefined : 'UnexpectedText'), value, path);
}

function childBreaches(node: XmlElement, { children = {} }: Rule, path: string): string[] {
  const found = elementsOf(node);
  const counts = Object.entries(children).flatMap(([name, [count]]) => {
    const times = found.filter((child) => child.name === name).length;
    if (times === 0 && (count === '1' || count === '+')) return [`MissingElement at ${path}/${name}`];
    return times > 1 && (count === '1' || count === '?') ? [`DuplicateElement at ${path}/${name}`] : [];
  });
  const below = found.flatMap((child, index) => {
    const inner = children[child.name]?.[1];
    const place = `${path}/${child.name}[${index}]`;
    return inner ? breaches(child, inner, place) : [`UndefinedElement at ${place}`];
  });
  return [...counts, ...below];
}

function breach(check: Check, value: string, path: string): string[] {
  const code = check(value);
  return code === undefined ? [] : [`${code} at ${path}: ${value.slice(0, 60)}`];
}
