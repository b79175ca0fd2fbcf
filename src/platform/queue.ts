import type { Job, JobQueue } from '../domain/ports.ts';

/** Most messages of one sendBatch call. */
const BATCH = 100;

/** Background work on Cloudflare Queues. */
export function jobQueue(queue: Queue<Job>): JobQueue {
  return {
    async send(jobs) {
      for (let start = 0; start < jobs.length; start += BATCH) {
        await queue.sendBatch(jobs.slice(start, start + BATCH).map((body) => ({ body })));
      }
    },
  };
}
