/** What a spreadsheet takes for a formula (OWASP, "CSV Injection"), after any apostrophes of ours. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** One line of CSV (RFC 4180) with its CRLF. Values that a spreadsheet would run get an apostrophe in front. */
export function csvLine(values: readonly (string | null | undefined)[]): string {
  return `${values.map((value) => quote(disarm(value ?? ''))).join(',')}\r\n`;
}

/** Takes away what `csvLine` put in front of a value. An apostrophe of the value itself stays: it got one more. */
export function rearm(value: string): string {
  return value.startsWith("'") && FORMULA.test(value) ? value.slice(1) : value;
}

function disarm(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
