import { Cron } from 'croner';
import type { Schedule } from './digest.ts';
import { instant, milliseconds } from './time.ts';

/** The cron trigger's own period, and so the closest two occurrences can be. */
export const TICK_SECONDS = 300;
const HORIZON_YEARS = 4;
const FIELD = /^[0-9A-Za-z*/,\-?#]+$/;

/**
 * Why a schedule cannot be used, by field; empty when it can. croner itself takes `@weekly`, six fields, `+02:00` for
 * a zone and patterns that never fire, so all of that is refused here.
 */
export function scheduleFaults(schedule: Schedule, from: string): { field: 'cron' | 'timezone'; message: string }[] {
  if (!isZone(schedule.timezone)) {
    const message = `unknown time zone ${JSON.stringify(schedule.timezone)}; use an IANA name such as Europe/Berlin or UTC`;
    return [{ field: 'timezone', message }];
  }
  const message = cronFault(schedule, from);
  return message === undefined ? [] : [{ field: 'cron', message }];
}

/**
 * All occurrences with `from` ≤ instant < `to`, in order. A local time that a clock change skips fires once, right
 * after the gap; one that a clock change repeats fires once.
 * @throws RangeError naming the fault when the schedule cannot be used.
 */
export function occurrences(schedule: Schedule, from: string, to: string): string[] {
  const fault = scheduleFaults(schedule, from)[0];
  if (fault) throw new RangeError(`${fault.field}: ${fault.message}`);
  return acceptedOccurrences(schedule, from, to);
}

/** The same for a schedule that was checked when it was stored: the check costs more than the answer. */
export function acceptedOccurrences(schedule: Schedule, from: string, to: string): string[] {
  const cron = new Cron(schedule.cron, { timezone: schedule.timezone });
  const end = milliseconds(to);
  const found: string[] = [];
  let next = cron.nextRun(new Date(milliseconds(from) - 1));
  while (next !== null && next.getTime() < end) {
    found.push(instant(next.getTime()));
    next = cron.nextRun(next);
  }
  return found;
}

/** The first occurrence later than `from`, or undefined when there is none. */
export function nextOccurrence(schedule: Schedule, from: string): string | undefined {
  const next = after(schedule, milliseconds(from));
  return next === null ? undefined : instant(next);
}

function after(schedule: Schedule, from: number): number | null {
  return new Cron(schedule.cron, { timezone: schedule.timezone }).nextRun(new Date(from))?.getTime() ?? null;
}

function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function cronFault(schedule: Schedule, from: string): string | undefined {
  const allowed = 'use five fields: minute hour day-of-month month day-of-week, such as "0 8 * * 5"';
  const fields = schedule.cron.trim().split(/\s+/);
  const shown = JSON.stringify(schedule.cron);
  if (fields.length !== 5 || !fields.every((field) => FIELD.test(field)))
    return `${shown} is no cron pattern; ${allowed}`;
  let first: number | null;
  try {
    first = after(schedule, milliseconds(from) - 1);
  } catch {
    return `${shown} is no cron pattern; ${allowed}`;
  }
  if (first === null || first > milliseconds(from) + HORIZON_YEARS * 366 * 86_400_000) {
    return `${shown} has no occurrence in the next ${HORIZON_YEARS} years`;
  }
  return tooOften(fields) ? `${shown} is due more often than every five minutes, the least there is` : undefined;
}

/** Read by croner itself over a day and an hour, as if the pattern ran every day; stops at the first close pair. */
function tooOften([minute = '*', hour = '*']: string[]): boolean {
  const daily = new Cron(`${minute} ${hour} * * *`, { timezone: 'UTC' });
  const start = Date.UTC(2026, 0, 1);
  let previous = daily.nextRun(new Date(start - 1));
  while (previous && previous.getTime() < start + 25 * 3_600_000) {
    const next = daily.nextRun(previous);
    if (next && next.getTime() - previous.getTime() < TICK_SECONDS * 1000) return true;
    previous = next;
  }
  return false;
}
