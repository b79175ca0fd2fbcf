/** A random UUID (RFC 9562, version 4). */
export function newId(): string {
  return crypto.randomUUID();
}

/** From 0, inclusive, to 1, exclusive. */
export function random(): number {
  return Math.random();
}
