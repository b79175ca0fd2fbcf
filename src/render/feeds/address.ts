/** `scheme ":" …` without what RFC 3987 section 2.2 allows nowhere in an IRI. */
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;
/** The form of an address that browsers accept in a form field (HTML, section "valid e-mail address"), with a dot. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

export function isIri(value: string): boolean {
  return IRI.test(value);
}

export function isEmail(value: string): boolean {
  return EMAIL.test(value);
}

/** The address as every format can carry it (RFC 3986: ASCII only), or undefined when it is not of the web. */
export function webUrl(value: string): string | undefined {
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}
