import type { Job } from '../../src/domain/ports.ts';
import type { Usage } from './counting.ts';
import { cpuOf } from './cpu.ts';
import { comparePlanning, type PlanningFigures } from './delivery-planning.ts';
import { type Carrier, type DeliveryServer, SIZES, type Size, startDelivery, workSome } from './delivery-server.ts';
import { type Sink, startSink } from './delivery-sink.ts';
import { middle, type Spread, spreadOf } from './figures.ts';
import { mailsLike, sendByNodemailer, type WriteMail } from './nodemailer.ts';

/** One way to send to so many people: medians of its rounds. */
export interface DeliveryFigures {
  by: Carrier | 'nodemailer';
  size: Size;
  perSecond: number;
  /** Over nodemailer's rate in turns with it; absent for nodemailer. */
  ratio?: Spread;
  /** Time for as many, over the time for a tenth of them, and the same of CPU time. */
  growth?: number;
  cpuGrowth?: number;
  /** CPU milliseconds of a message. */
  cpu: number;
  kilobytes: number;
  /** What a message asks of D1. */
  used?: Omit<Usage, 'trips'>;
}

/** Or the smaller size, which comes first, would seem slow, and growth small. */
const WARM_UP_ROUNDS = 3;
const ROUNDS: Record<Size, number> = { 1000: 5, 10000: 1 };
/** Jobs of the engine between two turns of nodemailer: the planning and pages of the smaller size. */
const JOBS_PER_TURN = 11;
/** Its rate does not depend on how many there are. */
const NODEMAILER_MAILS = 300;
const LARGEST = SIZES[1];
const CARRIERS = ['smtp', 'resend'] as const;

/** What was done so far, turns of others left out. */
interface Spent {
  mails: number;
  seconds: number;
  cpu: number;
  bytes: number;
}

/** An issue, and nodemailer's turns after every few jobs of it. */
interface Round {
  ours: Spent;
  theirs: Spent;
  used: Usage;
}

/** Sends issues through the whole engine and, in turns, the same mails by nodemailer into the same sink. */
export async function measureDelivery(
  code: string,
): Promise<{ deliveries: DeliveryFigures[]; planning: PlanningFigures }> {
  const sink = await startSink();
  const server = await startDelivery(code, sink);
  try {
    const planning = await comparePlanning(server);
    const write = await mailsLike(await server.template(LARGEST));
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const carrier of CARRIERS) await deliver(server, sink, carrier, SIZES[0], write);
    }
    const deliveries: DeliveryFigures[] = [];
    for (const size of SIZES) deliveries.push(...(await compareSize(server, sink, write, size)));
    return { deliveries: withGrowth(deliveries), planning };
  } finally {
    await server.stop();
    await sink.stop();
  }
}

async function compareSize(
  server: DeliveryServer,
  sink: Sink,
  write: WriteMail,
  size: Size,
): Promise<DeliveryFigures[]> {
  const rounds: Record<Carrier, Round[]> = { smtp: [], resend: [] };
  for (let round = 0; round < ROUNDS[size]; round += 1) {
    for (const carrier of CARRIERS) rounds[carrier].push(await deliver(server, sink, carrier, size, write));
  }
  const theirs = CARRIERS.flatMap((carrier) => rounds[carrier].map((round) => round.theirs));
  return [
    ...CARRIERS.map((by) => ({
      by,
      size,
      ...figuresOf(rounds[by].map(({ ours }) => ours)),
      ...besides(rounds[by], size),
    })),
    { by: 'nodemailer' as const, size, ...figuresOf(theirs) },
  ];
}

/** An issue from its first planning job to its last page. */
async function deliver(
  server: DeliveryServer,
  sink: Sink,
  carrier: Carrier,
  size: Size,
  write: WriteMail,
): Promise<Round> {
  const issue = await server.freeze(size);
  await server.usage(carrier);
  const ours = nothingSpent();
  const theirs = nothingSpent();
  for (let jobs: Job[] = [{ kind: 'plan', issue }]; jobs.length > 0; ) {
    await spend(ours, sink, server.cpuMilliseconds, async () => {
      jobs = await workSome(server, carrier, jobs, JOBS_PER_TURN);
    });
    await spend(theirs, sink, ownCpu, () => sendByNodemailer(sink.smtp, NODEMAILER_MAILS, write));
  }
  const sent = await server.sentOf(issue);
  if (sent !== size || ours.mails !== size)
    throw new Error(`of ${size} mails ${ours.mails} came, and ${sent} are sent`);
  return { ours, theirs, used: await server.usage(carrier) };
}

const ownCpu = () => cpuOf(process.pid);

/** @throws Error when anybody got two mails */
async function spend(spent: Spent, sink: Sink, cpu: () => number, work: () => Promise<void>): Promise<void> {
  const before = cpu();
  const start = performance.now();
  await work();
  spent.seconds += (performance.now() - start) / 1000;
  spent.cpu += cpu() - before;
  const { mails, people, bytes } = await sink.taken();
  if (mails !== people) throw new Error(`${mails} mails came to ${people} people`);
  spent.mails += mails;
  spent.bytes += bytes;
}

function nothingSpent(): Spent {
  return { mails: 0, seconds: 0, cpu: 0, bytes: 0 };
}

function rateOf({ mails, seconds }: Spent): number {
  return mails / seconds;
}

function figuresOf(all: Spent[]) {
  return {
    perSecond: middle(all.map(rateOf)),
    cpu: middle(all.map(({ cpu, mails }) => cpu / mails)),
    kilobytes: middle(all.map(({ bytes, mails }) => bytes / mails / 1000)),
  };
}

function besides(rounds: Round[], size: Size): Pick<DeliveryFigures, 'ratio' | 'used'> {
  const perMail = (name: keyof Usage) => middle(rounds.map(({ used }) => used[name] / size));
  return {
    ratio: spreadOf(rounds.map(({ ours, theirs }) => rateOf(ours) / rateOf(theirs))),
    used: { statements: perMail('statements'), rowsRead: perMail('rowsRead'), rowsWritten: perMail('rowsWritten') },
  };
}

function withGrowth(deliveries: DeliveryFigures[]): DeliveryFigures[] {
  return deliveries.map((each) => {
    const tenth = deliveries.find(({ by, size }) => by === each.by && size * 10 === each.size);
    if (!tenth || each.by === 'nodemailer') return each;
    return { ...each, growth: (10 * tenth.perSecond) / each.perSecond, cpuGrowth: (10 * each.cpu) / tenth.cpu };
  });
}
