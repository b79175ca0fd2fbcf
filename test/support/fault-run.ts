import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { LEASE_SECONDS } from '../../src/domain/delivery.ts';
import type { Job } from '../../src/domain/ports.ts';
import { shift } from '../../src/domain/time.ts';
import type { MailSession, OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import { consume } from '../../src/jobs.ts';
import { smtpTransportWith } from '../../src/platform/transport-smtp.ts';
import { type TestApp, testApp } from './app.ts';
import { type Gate, gate, gatedDatabase, Injected, type PlannedFault, type Point, pick, randomFrom } from './faults.ts';
import { addReaders, DUE, manyNames, suppress } from './newsroom.ts';
import type { SmtpLog, SmtpScript } from './sink-smtp.ts';
import { type OpenSink, openSink } from './sinks.ts';

type Rule = NonNullable<SmtpScript['rules']>[number];

/** What the mail server does to one reader's mail. Replies that begin with 5 are for good. */
const DEEDS: { at: Rule['at']; do: Rule['do'] }[] = [
  { at: 'rcpt', do: { reply: '451 4.2.0 greylisted, try again' } },
  { at: 'accepted', do: { reply: '451 4.3.0 try again' } },
  { at: 'mail', do: { reply: '421 4.7.0 too many messages', close: true } },
  { at: 'rcpt', do: { reply: '550 5.1.1 no such user' } },
  { at: 'accepted', do: { reply: '554 5.7.1 looks like spam' } },
  { at: 'mail', do: { close: true } },
  { at: 'rcpt', do: { close: true } },
  { at: 'data', do: { close: true } },
  { at: 'body', do: { close: true } },
  { at: 'accepted', do: { acceptThenClose: true } },
];
const TIMEOUTS = { connection: 10_000, greeting: 10_000, socket: 10_000, quit: 1_000 };
/** A server that hangs costs a test this long. */
const HASTY = { ...TIMEOUTS, socket: 1_000 };
const STEPS_WITH_FAULTS = 12;
const STEPS_MOST = 200;
const QUEUE_RETRIES = 5;
const ISSUE = { digest: 'weekly', number: 1 };

export interface FaultOptions {
  seed: number;
  readers: number;
  faults?: PlannedFault[];
  /** Readers whose mail the server treats in a way of its own. */
  troubled?: number;
  /** The server also stops answering once. */
  hangs?: boolean;
}

/** What a run left behind, to be judged. */
export interface FaultOutcome {
  met: PlannedFault[];
  reached: Record<Point, number>;
  /** What is wrong; empty when all holds. */
  violations: string[];
  /** Mails that the server took again, each after a break between its acceptance and our record. */
  repeats: number;
  states: Record<string, number>;
}

interface World extends FaultOptions {
  random: () => number;
  names: string[];
  gate: Gate;
  app: TestApp;
  /** The same without faults, for what others do meanwhile. */
  quiet: TestApp;
  sink: OpenSink<SmtpLog>;
  refused: Set<string>;
  waiting: { body: Job; attempts: number; from: string }[];
  leases: number;
  /** Who left or was suppressed, and how many leases had begun by then. */
  gone: Map<string, number>;
  /** Acceptances that were handed to us and never recorded, and those that were, by reader. */
  unrecorded: Map<string, number>;
  recorded: Map<string, number>;
  /** Who was in the hands of a consumer whose lease ran out. */
  overtaken: Set<string>;
  nested: boolean;
  violations: string[];
}

/** Composes and mails an issue to so many readers while everything goes wrong that is planned, then lets it recover. */
export async function faultRun(options: FaultOptions): Promise<FaultOutcome> {
  const world = await prepare(options);
  const { app, gate } = world;
  let steps = 0;
  for (; steps < STEPS_MOST && !(await isDone()); steps += 1) {
    if (steps === STEPS_WITH_FAULTS) gate.state.open = true;
    await unlessInjected(world, () => app.tick(app.clock.now));
    await drain(world);
    await resume(world);
    app.clock.now = shift(app.clock.now, 300);
    world.quiet.clock.now = app.clock.now;
  }
  if (steps === STEPS_MOST) world.violations.push('the issue was never done');
  return judge(world);
}

async function prepare(options: FaultOptions): Promise<World> {
  const random = randomFrom(options.seed);
  const names = manyNames(options.readers);
  await clear();
  await addReaders(names);
  const { rules, refused } = rulesFor(options, random, names);
  const sink = await openSink<SmtpLog>('smtp', { rules, keep: 'ids' } satisfies SmtpScript);
  const behind = gate(options.faults ?? []);
  const app = testApp({ db: gatedDatabase(behind), now: DUE });
  const world: World = {
    ...options,
    random,
    names,
    gate: behind,
    app,
    quiet: testApp({ now: DUE }),
    sink,
    refused,
    waiting: [],
    leases: 0,
    gone: new Map(),
    unrecorded: new Map(),
    recorded: new Map(),
    overtaken: new Set(),
    nested: false,
    violations: [],
  };
  arrange(world);
  return world;
}

/** Everything of earlier runs but the publication and its article. */
async function clear(): Promise<void> {
  const tables = `delivery deliveryPage issueArticle issueContent issue occurrence subscription subscriber consent
    suppression softBounce deadLetter outbox receipt`.split(/\s+/);
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
}

function rulesFor({ troubled = 0, hangs }: FaultOptions, random: () => number, names: string[]) {
  const refused = new Set<string>();
  const chosen = new Set(Array.from({ length: troubled }, () => pick(random, names)));
  const rules = [...chosen].map((name): Rule => {
    const { at, do: deed } = pick(random, DEEDS);
    const forGood = deed.reply?.startsWith('5') ?? false;
    if (forGood) refused.add(name);
    // Before RCPT TO the server knows no reader: some mail or other has the bad luck.
    const place = at === 'mail' ? { nth: 1 + Math.floor(random() * names.length) } : { to: `^${name}@` };
    return { at, ...place, ...(forGood ? {} : { times: 1 }), do: deed };
  });
  if (hangs) rules.push({ at: 'rcpt', nth: 1 + Math.floor(random() * names.length), do: { hang: true } });
  return { rules, refused };
}

/** Sets the app up as it would be deployed, with the mail server and the platform's queue behind the gate. */
function arrange(world: World): void {
  const { app, sink, hangs } = world;
  const build = smtpTransportWith({ timeouts: hangs ? HASTY : TIMEOUTS })(
    { SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off` },
    (name, allowed) => world.violations.push(`${name} ${allowed}`),
  );
  const smtp = build?.({ outbox: app.deps.outbox, now: () => app.clock.now });
  if (!smtp) throw new Error('no transport');
  app.deps.transport = { ...smtp, open: () => watched(world, smtp.open()) };
  app.deps.policy = { transport: 'smtp', local: true, domain: 'news.example', unknown: 'retry' };
  app.deps.queue = {
    send: (jobs, delaySeconds = 0) => enqueue(world, jobs, delaySeconds),
    bury: () => world.gate.through('queue', async () => undefined),
  };
  const { lease, record } = app.deps.deliveries;
  app.deps.deliveries = {
    ...app.deps.deliveries,
    async lease(open, terms) {
      world.leases += 1;
      const begun = world.leases;
      const rows = await lease(open, terms);
      for (const { subscriberId: id } of rows) {
        if ((world.gone.get(id) ?? begun) < begun) world.violations.push(`${id} had left before lease ${begun}`);
      }
      return rows;
    },
    async record(issue, outcomes, at) {
      const sent = outcomes.flatMap(({ status, subscriberId }) => (status === 'sent' ? [subscriberId] : []));
      const keep = () => {
        for (const id of sent) {
          count(world.recorded, id, 1);
          count(world.unrecorded, id, -1);
        }
      };
      try {
        await record(issue, outcomes, at);
        keep();
      } catch (error) {
        if (error instanceof Injected && error.done) keep();
        throw error;
      }
    },
  };
}

function count(map: Map<string, number>, id: string, change: number): void {
  map.set(id, (map.get(id) ?? 0) + change);
}

async function enqueue({ gate, waiting, app }: World, jobs: Job[], delaySeconds: number): Promise<void> {
  const fault = gate.at('queue');
  if (fault?.kind === 'before') throw new Injected(fault);
  if (fault?.kind === 'lost') return;
  const from = shift(app.clock.now, Math.max(delaySeconds, 0));
  const copies = fault?.kind === 'twice' ? [...jobs, ...jobs] : jobs;
  waiting.push(...copies.map((body) => ({ body: structuredClone(body), attempts: 0, from })));
  if (fault?.kind === 'after') throw new Injected(fault);
}

/** A session whose every send may be broken, with all that others do meanwhile. */
function watched(world: World, session: MailSession): MailSession {
  return {
    async send(mails, key) {
      const fault = world.gate.at('send');
      if (fault?.kind === 'before') throw new Injected(fault);
      if (fault) await meanwhile(world, fault, mails);
      const results = await session.send(mails, key);
      note(world, mails, results);
      if (fault?.kind === 'after') throw new Injected(fault);
      return results;
    },
    close: () => world.gate.through('close', () => session.close()),
  };
}

function note(world: World, mails: OutgoingMail[], results: SendResult[]): void {
  for (const [index, mail] of mails.entries()) {
    if (results[index]?.status === 'sent') count(world.unrecorded, nameOf(mail.to), 1);
  }
}

async function meanwhile(world: World, fault: PlannedFault, mails: OutgoingMail[]): Promise<void> {
  const { app, quiet, random, names, gone } = world;
  switch (fault.kind) {
    case 'some leave':
    case 'some are suppressed':
      for (const name of Array.from({ length: 3 }, () => pick(random, names))) {
        if (gone.has(name)) continue;
        if (fault.kind === 'some leave') {
          await quiet.deps.subscriptions.unsubscribe(name, ['weekly'], { way: 'mail' }, app.clock.now);
        } else await suppress(name).catch(() => undefined);
        gone.set(name, world.leases);
      }
      return;
    case 'paused':
      await quiet.call('issue.pause', ISSUE);
      return;
    case 'cron twice':
      await unlessInjected(world, async () => {
        await Promise.all([app.tick(app.clock.now), app.tick(app.clock.now)]);
      });
      return;
    case 'lease runs out':
      if (!world.nested) await overtake(world, mails);
  }
}

/** The clock passes the end of the lease, and another consumer works on all pages before this one goes on. */
async function overtake(world: World, mails: OutgoingMail[]): Promise<void> {
  world.nested = true;
  // Also what other consumers have in their hands: it is one clock.
  const held = await env.DB.prepare(`SELECT subscriberId AS name FROM delivery WHERE status = 'sending'`).all<{
    name: string;
  }>();
  for (const { name } of held.results) world.overtaken.add(name);
  for (const { to } of mails) world.overtaken.add(nameOf(to));
  world.app.clock.now = shift(world.app.clock.now, LEASE_SECONDS + 1);
  const { results } = await env.DB.prepare('SELECT after, through FROM deliveryPage').all<{
    after: string;
    through: string;
  }>();
  await consumeAll(
    world,
    results.map((page) => ({ body: { kind: 'deliver', issue: { ...ISSUE, revision: 1 }, page }, attempts: 0 })),
  );
  world.nested = false;
}

/** The platform's part: hands over what is due, batch by batch, and what failed again, some times. */
async function drain(world: World): Promise<void> {
  const { waiting, app, gate } = world;
  for (;;) {
    const due = waiting.filter(({ from }) => from <= app.clock.now).slice(0, 10);
    if (due.length === 0) return;
    for (const each of due) waiting.splice(waiting.indexOf(each), 1);
    const fault = gate.at('batch');
    if (fault?.kind === 'lost') continue;
    if (fault?.kind === 'twice at once') await Promise.all([consumeAll(world, due), consumeAll(world, due)]);
    else await consumeAll(world, due);
    if (fault?.kind === 'twice') await consumeAll(world, due);
  }
}

async function consumeAll(world: World, jobs: { body: Job; attempts: number }[]): Promise<void> {
  const messages = jobs.map(({ body, attempts }, index) => ({
    id: String(index),
    timestamp: new Date(0),
    attempts: attempts + 1,
    body,
  }));
  const batch = createMessageBatch('broadside-jobs', messages);
  await consume(world.app.deps, batch);
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  for (const { msgId } of retryMessages) {
    const job = jobs[Number(msgId)];
    if (job && job.attempts < QUEUE_RETRIES) {
      world.waiting.push({ ...job, attempts: job.attempts + 1, from: shift(world.app.clock.now, 30) });
    }
  }
}

async function unlessInjected(world: World, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Injected)) world.violations.push(`a tick failed: ${String(error)}`);
  }
}

async function resume({ quiet, waiting, app }: World): Promise<void> {
  const issue = await quiet.deps.issues.read('weekly', 1);
  if (issue?.status !== 'paused') return;
  await quiet.answer('issue.resume', ISSUE);
  waiting.push(...quiet.jobs.splice(0).map((body) => ({ body, attempts: 0, from: app.clock.now })));
}

async function isDone(): Promise<boolean> {
  const status = await env.DB.prepare('SELECT status FROM issue').first<string>('status');
  return status === 'sent';
}

function nameOf(address: string): string {
  return address.slice(0, address.indexOf('@'));
}

/** Compares the ledger, what the server says it took, and who had to get it. */
async function judge(world: World): Promise<FaultOutcome> {
  const { names, gone, refused, recorded, unrecorded, overtaken, gate, violations } = world;
  const { results: rows } = await env.DB.prepare('SELECT subscriberId AS name, status FROM delivery').all<{
    name: string;
    status: string;
  }>();
  const states = new Map(rows.map(({ name, status }) => [name, status]));
  const { messages } = await world.sink.log();
  const taken = Map.groupBy(messages, ({ to }) => nameOf(to[0] ?? ''));
  for (const name of names) {
    const status = states.get(name) ?? 'none';
    const fail = (what: string) => violations.push(`${name} is ${status}: ${what}`);
    const accepted = taken.get(name) ?? [];
    const unheard = accepted.filter(({ heard }) => !heard).length;
    const told = recorded.get(name) ?? 0;
    if (!mayBe(status, name)) fail('it should have ended otherwise');
    if ((status === 'sent') !== told > 0) fail(`recorded as sent ${told} times`);
    if (told > 1 && !overtaken.has(name)) fail('it was recorded twice without an excuse');
    if (accepted.length !== told + unheard + (unrecorded.get(name) ?? 0)) {
      fail(`taken ${accepted.length} times, recorded ${told}, unheard ${unheard}, lost ${unrecorded.get(name) ?? 0}`);
    }
    const ids = new Set(accepted.map(({ messageId }) => messageId));
    if (ids.size > 1 || (ids.size === 1 && !ids.has(`<weekly.1.1.${name}@news.example>`))) fail([...ids].join());
  }
  const open = await env.DB.prepare('SELECT count(*) AS pages FROM deliveryPage').first<number>('pages');
  if (open !== 0) violations.push(`${open} pages are open`);
  for (const { context } of world.app.logged) {
    if (!(context.error instanceof Injected)) violations.push(`logged: ${String(context.error)}`);
  }
  const repeats = [...taken.values()].reduce((sum, { length }) => sum + length - 1, 0);
  const counts = Map.groupBy(rows, ({ status }) => status);
  return {
    met: gate.met,
    reached: gate.reached,
    violations,
    repeats,
    states: Object.fromEntries([...counts].map(([status, { length }]) => [status, length])),
  };

  function mayBe(status: string, name: string): boolean {
    if (status === 'sent') return !refused.has(name);
    if (status === 'failed' || status === 'bounced') return refused.has(name);
    return ['none', 'unsubscribed', 'suppressed'].includes(status) && gone.has(name);
  }
}

/** Seeds to replay, from the variable FAULTS: `17` or `1-300`; and how many readers each run has. */
export function askedSeeds(): { seeds: number[]; readers: number | undefined } | undefined {
  const [, from, to, readers] = /^(\d+)(?:-(\d+))?(?:x(\d+))?$/.exec(inject('faults')) ?? [];
  if (from === undefined) return undefined;
  const seeds = Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, index) => Number(from) + index);
  return { seeds, readers: readers === undefined ? undefined : Number(readers) };
}
