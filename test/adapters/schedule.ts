import { json } from 'node:stream/consumers';
import type { Schedule } from '../../src/domain/digest.ts';
import { occurrences } from '../../src/domain/schedule.ts';

/** `{schedule, from, to}` on stdin to `{occurrences}` on stdout. */
try {
  const { schedule, from, to } = (await json(process.stdin)) as { schedule: Schedule; from: string; to: string };
  console.log(JSON.stringify({ occurrences: occurrences(schedule, from, to) }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
