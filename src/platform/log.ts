/** One JSON line per unexpected failure, for the platform's log. Addresses and secrets never belong in the context. */
export function logError(message: string, context: Record<string, unknown>): void {
  console.error(JSON.stringify({ message, ...context }, describeErrors));
}

function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
