const ENTITIES: Partial<Record<number, string>> = { 34: '&quot;', 38: '&amp;', 39: '&#39;', 60: '&lt;', 62: '&gt;' };
const SPECIAL = /[&<>"']/;

/** Text made safe for HTML content and quoted attributes. `&#39;` because Outlook on Windows shows `&apos;` as it stands. */
export function escapeHtml(value: string | number): string {
  const text = typeof value === 'string' ? value : String(value);
  // Most values need nothing, and a loop over the others takes half the time of replacing with a function.
  let end = text.search(SPECIAL);
  if (end < 0) return text;
  let escaped = '';
  let start = 0;
  for (; end < text.length; end += 1) {
    const entity = ENTITIES[text.charCodeAt(end)];
    if (entity === undefined) continue;
    escaped += text.slice(start, end) + entity;
    start = end + 1;
  }
  return escaped + text.slice(start);
}

/** What `{{#if}}` asks, as Handlebars does: there, and not empty. A number counts as there unless it is 0. */
export function filled<T>(value: T | undefined | null | false | '' | 0): value is T {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
