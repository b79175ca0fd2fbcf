/** The one written form of an instant here: ISO 8601, UTC, whole seconds. Same form, so text order is time order. */
export function instant(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since 1970 of an ISO 8601 text; NaN when it is none. */
export function milliseconds(text: string): number {
  return new Date(text).getTime();
}

/** `seconds` after (or, when negative, before) an instant. */
export function shift(from: string, seconds: number): string {
  return instant(milliseconds(from) + seconds * 1000);
}

/** Year 1, as Go and .NET write a date that nobody set, and the first second of 1970, as most others do. */
export function isUnset(text: string): boolean {
  const time = milliseconds(text);
  return time < YEAR_TWO || (time >= 0 && time < 1000);
}

const YEAR_TWO = milliseconds('0002-01-01T00:00:00Z');
