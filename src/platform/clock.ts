import { instant } from '../domain/time.ts';

/** The one home of the time of day. */
export function now(): string {
  return instant(Date.now());
}
