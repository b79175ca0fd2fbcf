import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { Answer, Plan } from '../domain/answer.ts';
import { type Content, type ContentCall, readContent } from './content.ts';
import { run, UserError } from './fault.ts';
import { baseOf } from './local.ts';
import { callWebhook, planWebhook, type WebhookResponse } from './webhook-client.ts';

interface PublishOptions {
  /** Asked before mail goes out again; whoever says no publishes the correction and mails nobody. */
  confirm(question: string): Promise<boolean>;
}

/**
 * Publishes a folder: plans every call by a dry run, asks before a correction is mailed, and posts what changes through the
 * webhook. What is there already is left alone, so this may be run at any time.
 * @throws UserError when a file cannot be read (nothing was sent) or the Worker refused some (the rest was published)
 */
export async function publishFolder(folder: string, base: string, { confirm }: PublishOptions): Promise<void> {
  const content = readContent(folder);
  const failed: string[] = [];
  for (const call of await callsOf(content, base, confirm, failed)) {
    const faults = report(call, await callWebhook(base, call.type, call.data));
    failed.push(...faults);
    // Articles need the publication; without it each of them would fail for that one reason.
    if (call === content.publication && faults.length > 0) break;
  }
  for (const file of content.drafts) console.info(`${'draft'.padEnd(10)} ${file}`);
  if (failed.length > 0) throw new UserError(failed.join('\n'));
}

/** The calls to make. A publication that is not there yet has nothing to compare with, and has mailed nobody. */
async function callsOf(
  { publication, articles }: Content,
  base: string,
  confirm: PublishOptions['confirm'],
  failed: string[],
): Promise<ContentCall[]> {
  const all = [publication, ...articles];
  const { status, body } = await planWebhook(base, publication.type, publication.data);
  if (status !== 200 || (body as Partial<Plan>).outcome === 'created') return all;
  const planned: { call: ContentCall; plan: Plan }[] = [];
  for (const call of all) {
    const response = await planWebhook(base, call.type, call.data);
    if (response.status === 200) planned.push({ call, plan: response.body as unknown as Plan });
    else failed.push(...report(call, response));
  }
  const unchanged = planned.filter(({ plan }) => plan.outcome === 'unchanged');
  if (unchanged.length > 0) console.info(`${'unchanged'.padEnd(10)} ${unchanged.length} of ${all.length} files`);
  const calls: ContentCall[] = [];
  for (const { call, plan } of planned.filter((each) => !unchanged.includes(each))) {
    tellFindings(call, plan);
    calls.push(await asConfirmed(call, plan, confirm));
  }
  return calls;
}

/** The call with the number of people that its reissue goes to, or without the reissue where somebody says no. */
async function asConfirmed(call: ContentCall, plan: Plan, confirm: PublishOptions['confirm']): Promise<ContentCall> {
  const mailed = (plan.issues ?? []).filter(({ audience }) => audience > 0);
  if (mailed.length === 0 || call.data.reissue !== true) return call;
  const people = mailed.reduce((sum, { audience }) => sum + audience, 0);
  for (const { digest, number, revision, audience, subject, bytes } of mailed) {
    console.info(
      `${'reissue'.padEnd(10)} ${call.file}: ${digest} no. ${number}, revision ${revision}, to ${audience} people\n` +
        `${' '.repeat(11)}"${subject}"${bytes ? `, ${Math.ceil(bytes.html / 1000)} kB` : ''}`,
    );
  }
  const yes = await confirm(`Mail this correction to ${people} ${people === 1 ? 'person' : 'people'}?`);
  const { reissue, confirm: _, ...silent } = call.data;
  return { ...call, data: yes ? { ...silent, reissue, confirm: people } : silent };
}

/** What an editor would like to know, with file and line. */
function tellFindings(call: ContentCall, { findings }: Plan): void {
  for (const { pointer, message } of findings) {
    console.info(`${'look at'.padEnd(10)} ${call.file}:${call.lineOf(pointer)}: ${message}`);
  }
}

/** Prints what became of a call; the mistakes the Worker found, by file and line. */
function report(call: ContentCall, { status, body }: WebhookResponse): string[] {
  if (status === 200) {
    const { outcome, url, issue, issues, warnings } = body as unknown as Answer;
    console.info(`${outcome.padEnd(10)} ${call.file}${url ? `  ${url}` : ''}`);
    for (const { digest, number, revision, audience } of issues ?? (issue ? [issue] : [])) {
      console.info(`${' '.repeat(11)}${digest} no. ${number}, revision ${revision}, goes to ${audience}`);
    }
    for (const warning of warnings ?? []) console.warn(`           ${warning}`);
    return [];
  }
  // A fresh database never had it, so there is nothing to take back.
  if (call.type === 'article.withdrawn' && status === 422) {
    console.info(`${'absent'.padEnd(10)} ${call.file}`);
    return [];
  }
  console.info(`${'refused'.padEnd(10)} ${call.file}`);
  const { detail, errors } = body as { detail?: string; errors?: { pointer: string; message: string }[] };
  if (!errors?.length) return [`${call.file}: ${detail ?? `the Worker answered ${status}`}`];
  return errors.map(
    ({ pointer, message }) => `${call.file}:${call.lineOf(pointer)}: ${pointer.replace(/^\/data\//, '')} ${message}`,
  );
}

/** Asks at the terminal. A script has to say --yes: what was mailed cannot be taken back. */
export async function askAtTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.info(
      `${' '.repeat(11)}Nobody is there to ask, so nobody is mailed: run it with --yes to mail the correction.`,
    );
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

if (import.meta.main) {
  await run(async () => {
    const { values, positionals } = parsePublishArgs();
    const confirm = values.yes ? async () => true : askAtTerminal;
    await publishFolder(positionals[0] ?? 'seeds', baseOf(values.to), { confirm });
  });
}

function parsePublishArgs() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { to: { type: 'string' }, yes: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UserError(
      `${error instanceof Error ? error.message : error}\nUsage: npm run publish -- [DIR] [--to URL] [--yes]`,
    );
  }
}
