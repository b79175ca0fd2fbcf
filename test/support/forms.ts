import type { Element, Root } from 'hast';
import { elements, textOf } from './pages.ts';

/** What a form would send as it stands: names and values of its fields, unticked boxes left out. */
export function fieldsOf(form: Element | undefined): Record<string, unknown> {
  const fields = elements(form, 'input').map(({ properties }) => properties);
  const sent = fields.filter(({ type, checked }) => type !== 'checkbox' || checked);
  return Object.fromEntries(sent.map(({ name, value }) => [name, value ?? '']));
}

/** What its buttons say. */
export function buttonsOf(form: Element | Root | undefined): string[] {
  return elements(form, 'button').map(textOf);
}

/** The element that a reference leads to. */
export function byId(tree: Root, id: unknown): Element | undefined {
  return elements(tree).find(({ properties }) => properties.id === id);
}

/** The text of the elements that describe a control. */
export function described(tree: Root, control: Element | undefined): string {
  const ids = [control?.properties.ariaDescribedBy ?? []].flat().flatMap((value) => String(value).split(' '));
  return ids.map((id) => textOf(byId(tree, id))).join(' ');
}
