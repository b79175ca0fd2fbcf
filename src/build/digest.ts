import { setTimeout as sleep } from 'node:timers/promises';
import { run, UserError } from './fault.ts';
import { localUrl } from './local.ts';
import { operatorCall } from './operator.ts';

const WAIT_SECONDS = 60;

interface DigestState {
  id: string;
  title: string;
  next: string | null;
  audience: number;
  occurrences: { at: string; status: string; reason?: string; issueNumber?: number }[];
}

interface Deliveries {
  status: string;
  audience: number;
  deliveries: Record<string, number>;
}

/** Fires the next occurrence of a digest by the local cron trigger and shows what was mailed, or why nothing was. */
async function fireDigest(): Promise<void> {
  const base = localUrl();
  const digest = choose(await states(base), process.argv[2]);
  if (!digest.next) throw new UserError(`The digest ${digest.id} has no next occurrence.`);
  console.info(`${digest.title} (${digest.id}) is next due on ${digest.next}. Firing the cron trigger for that time.`);
  await trigger(base, digest.next);
  const outcome = (await states(base))
    .find(({ id }) => id === digest.id)
    ?.occurrences.find(({ at }) => at === digest.next);
  if (outcome?.status === 'issued' && outcome.issueNumber !== undefined)
    return showIssue(base, digest, outcome.issueNumber);
  console.info(
    `No mail was sent: the occurrence was ${outcome?.status ?? 'not recorded'}${outcome?.reason ? `, because ${outcome.reason}` : ''}.`,
  );
  if (outcome?.status === 'skipped')
    console.info('Publish something new, then run this again for the occurrence after that.');
}

async function states(base: string): Promise<DigestState[]> {
  return (await operatorCall<{ digests: DigestState[] }>(base, 'api/v1/digests')).digests;
}

function choose(digests: DigestState[], wanted: string | undefined): DigestState {
  const found = wanted === undefined ? digests[0] : digests.find(({ id }) => id === wanted);
  if (found) return found;
  const known = digests.map(({ id }) => id).join(', ') || 'none';
  throw new UserError(
    wanted === undefined ? 'The publication has no digest.' : `No digest is called ${wanted}; known: ${known}.`,
  );
}

async function trigger(base: string, at: string): Promise<void> {
  const url = new URL('cdn-cgi/handler/scheduled', base);
  url.searchParams.set('cron', '*/5 * * * *');
  url.searchParams.set('time', String(Date.parse(at)));
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
  if (!response?.ok)
    throw new UserError(
      `The cron trigger of ${base} answered ${response?.status ?? 'nothing'}. It exists under "npm start" only.`,
    );
}

async function showIssue(base: string, digest: DigestState, number: number): Promise<void> {
  const path = `api/v1/issues/${encodeURIComponent(digest.id)}/${number}/deliveries`;
  let state = await operatorCall<Deliveries>(base, path);
  for (const end = Date.now() + WAIT_SECONDS * 1000; isBusy(state) && Date.now() < end; await sleep(200)) {
    state = await operatorCall<Deliveries>(base, path);
  }
  const { messages } = await operatorCall<{ messages: OutboxMessage[] }>(base, 'outbox.json');
  const counts = Object.entries(state.deliveries).map(([name, count]) => `${count} ${name}`);
  console.info(
    `Issue ${number} is ${state.status}${counts.length > 0 ? `: ${counts.join(', ')}, of an audience of ${state.audience}` : ''}.\n`,
  );
  for (const message of messages.filter((each) => each.digest === digest.id && each.issue === number)) {
    console.info(
      `  ${message.to.padEnd(24)} ${message.subject}\n  ${''.padEnd(24)} ${base}outbox/${encodeURIComponent(message.id)}`,
    );
  }
  if (state.status !== 'held') console.info(`\nOn the web: ${base}issues/${encodeURIComponent(digest.id)}/${number}`);
  else console.info('\nIt waits for approval; the mail to the editor above has the preview.');
}

interface OutboxMessage {
  id: string;
  to: string;
  subject: string;
  digest?: string;
  issue?: number;
}

function isBusy({ status }: Deliveries): boolean {
  return status === 'planning' || status === 'sending';
}

await run(fireDigest);
