const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const SPECIAL = /[&<>"']/;
const EVERY_SPECIAL = /[&<>"']/g;

/** Text made safe for HTML content and quoted attributes. `&#39;` because Outlook on Windows shows `&apos;` as it stands. */
export function escapeHtml(value: string | number): string {
  const text = typeof value === 'string' ? value : String(value);
  // Most values need nothing, and asking first is a third cheaper than replacing nothing.
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, (character) => ENTITIES[character] ?? character) : text;
}

/** What `{{#if}}` asks, as Handlebars does: there, and not empty. A number counts as there unless it is 0. */
export function filled<T>(value: T | undefined | null | false | '' | 0): value is T {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
