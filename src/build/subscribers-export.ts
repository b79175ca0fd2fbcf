import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from './csv-write.ts';
import { UserError } from './fault.ts';
import { operatorCall } from './operator.ts';

const PAGE_ROWS = 1_000;
const TRIES = 3;
const HEADER = ['email', 'status', 'subscribed_at', 'confirmed_at', 'unsubscribed_at', 'proof'];

interface Page {
  subscribers: {
    email: string;
    status: string;
    subscribedAt?: string | null;
    confirmedAt?: string | null;
    unsubscribedAt?: string | null;
    proof?: string | null;
  }[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/**
 * Writes everybody who is or was subscribed to a digest as CSV that `import` reads again, a page at a time.
 * @param path the file to write, which is there only once it is complete; undefined for standard output
 * @throws UserError when the Worker refuses or the file cannot be written
 */
export async function exportSubscribers(base: string, digest: string, path: string | undefined): Promise<void> {
  if (path === undefined) {
    await pipeline(Readable.from(lines(base, digest)), process.stdout, { end: false });
    return;
  }
  const part = `${path}.part`;
  try {
    // Addresses: for the owner of the file only.
    await pipeline(Readable.from(lines(base, digest)), createWriteStream(part, { mode: 0o600 }));
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw code ? new UserError(`${path} cannot be written (${code}).`) : error;
  }
}

async function* lines(base: string, digest: string): AsyncGenerator<string> {
  yield csvLine(HEADER);
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ digest, ...(after ? { after } : {}), limit: String(PAGE_ROWS) });
    const page: Page = await operatorCall<Page>(base, `api/v1/subscribers?${query}`, undefined, TRIES);
    yield page.subscribers
      .map((each) =>
        csvLine([each.email, each.status, each.subscribedAt, each.confirmedAt, each.unsubscribedAt, each.proof]),
      )
      .join('');
    after = page.next;
  }
}
