import type { Job, JobQueue } from '../domain/ports.ts';

/** Most messages of one sendBatch call. */
const BATCH = 100;
/** The longest that Queues delay a message: 12 hours. */
const MOST_DELAY_SECONDS = 43_200;

/** Background work on Cloudflare Queues. */
export function jobQueue(queue: Queue<Job>, dead: Queue<unknown>): JobQueue {
  return {
    async send(jobs, delaySeconds = 0) {
      const options = { delaySeconds: Math.min(Math.max(Math.ceil(delaySeconds), 0), MOST_DELAY_SECONDS) };
      for (let start = 0; start < jobs.length; start += BATCH) {
        await queue.sendBatch(
          jobs.slice(start, start + BATCH).map((body) => ({ body })),
          options,
        );
      }
    },
    async bury(letters) {
      for (let start = 0; start < letters.length; start += BATCH) {
        await dead.sendBatch(letters.slice(start, start + BATCH).map((body) => ({ body })));
      }
    },
  };
}
