import { nextOccurrence } from '../../src/domain/schedule.ts';
import { callWorker } from '../support/calls.ts';
import type { Usage } from './counting.ts';
import { middle, type Spread, spreadOf } from './figures.ts';
import { addSubscribers, samplePublication } from './publication.ts';
import type { Server } from './server.ts';
import type { Stages } from './worker.ts';

/** What a piece of work takes, with D1's part and without. */
export interface Cost extends Pick<Usage, 'statements' | 'trips'> {
  name: string;
  /** CPU milliseconds of workerd, D1 included: the first time in a fresh isolate, and when warm. */
  first?: number;
  cpu?: Spread;
  /** The median less that of as many round trips of a bare Worker. */
  own?: number;
}

export const STORED_ARTICLES = 200;
export const SUBSCRIBERS = 100;
const DIGEST_ARTICLES = 20;
const PUBLISHES = 15;
const TICKS = 60;
const DIGESTS = 8;

/** Publishes a sample publication with its articles and readers through the webhook and the operators' API. */
export async function fillServer(server: Server): Promise<void> {
  const { settings, article } = samplePublication();
  await callWorker(server.broadside, 'publication.updated', settings);
  // Feeds are left alone until the last article, or the 200 articles would take as long as all the measuring.
  await server.run('CREATE TRIGGER quiet AFTER INSERT ON feed BEGIN DELETE FROM feed; END');
  await server.run('DELETE FROM feed');
  for (let n = STORED_ARTICLES - 1; n > 0; n -= 1) await callWorker(server.broadside, 'article.published', article(n));
  await server.run('DROP TRIGGER quiet');
  await callWorker(server.broadside, 'publication.updated', { ...settings, description: 'A publication to measure.' });
  await callWorker(server.broadside, 'article.published', article(0));
  await addSubscribers(server.broadside, SUBSCRIBERS);
}

/** Measures a publish, an idle tick and a digest on a filled server. */
export async function measureWork(server: Server): Promise<Cost[]> {
  const publish = await costOf(
    server,
    `publish: 1 article in 3 topics, ${STORED_ARTICLES} stored`,
    PUBLISHES,
    publisher(server),
  );
  const tick = await costOf(server, 'idle tick', TICKS, async () => {
    const response = await fetch(new URL(`/bench/tick?at=${Date.now()}`, server.counted));
    return [(await response.json()) as Usage];
  });
  const digest = await measureDigest(server);
  return [publish, tick, ...digest];
}

function publisher(server: Server): () => Promise<Usage[]> {
  const { article } = samplePublication();
  let n = 0;
  return async () => {
    n += 1;
    // Newer than all others, as news is, and with a title of its own.
    const data = { ...article(n), id: `news-${n}`, title: `News ${n}`, publishedAt: new Date().toISOString() };
    const response = await callWorker(server.counted, 'article.published', data);
    return [JSON.parse(response.headers.get('x-usage') ?? '{}') as Usage];
  };
}

/** Each digest has the newest articles, as if no issue had had them, and its own occurrence, a week after the last. */
async function measureDigest(server: Server): Promise<Cost[]> {
  const schedule = { cron: '0 8 * * 5', timezone: 'UTC' };
  let at = new Date().toISOString();
  let stages: Stages = [];
  await server.run(`INSERT INTO issueArticle (digest, articleId, number) SELECT 'bench', id, 1000 FROM article`);
  const prepare = async () => {
    at = nextOccurrence(schedule, at) ?? '';
    await server.run(
      `DELETE FROM issueArticle WHERE articleId IN
         (SELECT id FROM article ORDER BY publishedAt DESC LIMIT ${DIGEST_ARTICLES})`,
    );
  };
  const name = `digest: ${DIGEST_ARTICLES} articles to ${SUBSCRIBERS} subscribers`;
  const work = async () => {
    const response = await fetch(new URL(`/bench/digest?at=${Date.parse(at)}`, server.counted));
    stages = (await response.json()) as Stages;
    if (!stages.some(({ stage }) => stage === 'deliver')) throw new Error('the digest was not delivered');
    return stages;
  };
  const total = await costOf(server, name, DIGESTS, work, prepare);
  return [total, ...stages.map(({ stage, ...usage }) => ({ name: `  of that, ${STAGES[stage]}`, ...usage }))];
}

const STAGES: Record<string, string> = {
  tick: 'tick: compose and freeze',
  plan: 'plan',
  deliver: `deliver ${SUBSCRIBERS} to the outbox`,
};

/** Runs a piece of work again and again, and in turns as many round trips to D1 as it made. */
async function costOf(
  server: Server,
  name: string,
  times: number,
  work: () => Promise<Usage[]>,
  prepare = async () => {},
): Promise<Cost> {
  let first = 0;
  const cpu: number[] = [];
  const bare: number[] = [];
  let used: Pick<Usage, 'statements' | 'trips'> = { statements: 0, trips: 0 };
  for (let time = 0; time <= times; time += 1) {
    await prepare();
    const before = server.cpuMilliseconds();
    used = sumOf(await work());
    const between = server.cpuMilliseconds();
    await (await fetch(new URL(`/bench/trips?n=${used.trips}`, server.bare))).text();
    if (time === 0) {
      first = between - before;
      continue;
    }
    cpu.push(between - before);
    bare.push(server.cpuMilliseconds() - between);
  }
  return { name, ...used, first, cpu: spreadOf(cpu), own: middle(cpu) - middle(bare) };
}

function sumOf(usages: Usage[]): Pick<Usage, 'statements' | 'trips'> {
  return {
    statements: usages.reduce((sum, { statements }) => sum + statements, 0),
    trips: usages.reduce((sum, { trips }) => sum + trips, 0),
  };
}
