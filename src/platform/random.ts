/** A random UUID (RFC 9562, version 4). */
export function newId(): string {
  return crypto.randomUUID();
}
