import type { Usage } from './counting.ts';
import { middle, type Spread, spreadOf } from './figures.ts';
import { type Target, type Turn, takeTurns } from './load.ts';
import { samplePublication } from './publication.ts';
import type { Server } from './server.ts';

/** A kind of request beside the bare Worker's. */
export interface RequestFigures {
  name: string;
  /** Bytes of a 200. */
  bytes: number;
  /** Medians. */
  perSecond: number;
  barePerSecond: number;
  /** Requests a second over the bare Worker's of the same round. */
  ratio: Spread;
  /** CPU milliseconds of a request, medians: of workerd, D1 included. */
  cpu: number;
  bareCpu: number;
  /** D1 statements of one request. */
  statements: number;
  /** The ratio that is aimed at, where one is. */
  wanted?: number;
}

const ROUNDS = 20;
const FEED_RATIO = 0.9;
const NOT_MODIFIED_RATIO = 1;

/** Feeds and pages of a filled server beside the bare reading of the same bytes. */
export async function compareRequests(server: Server): Promise<RequestFigures[]> {
  const { rareTopic } = samplePublication();
  return [
    ...(await compareFeed(server, 'feed, 50 articles', '/rss.xml')),
    ...(await compareFeed(server, 'feed, 5 articles', `/topics/${rareTopic}/rss.xml`)),
    await comparePage(server, 'home page', '/'),
    await comparePage(server, 'article page', await articlePath(server)),
  ];
}

/** With its bytes, and with a 304 to a reader that has them. */
async function compareFeed(server: Server, name: string, path: string): Promise<RequestFigures[]> {
  const { bytes, etag } = await copyToBare(server, path);
  const known = { 'If-None-Match': etag };
  const targets: Target[] = [
    { url: new URL(path, server.broadside), headers: {}, status: 200 },
    { url: new URL(path, server.bare), headers: {}, status: 200 },
    { url: new URL(path, server.broadside), headers: known, status: 304 },
    { url: new URL(path, server.bare), headers: known, status: 304 },
  ];
  const [full = [], bareFull = [], unchanged = [], bareUnchanged = []] = await takeTurns(
    targets,
    ROUNDS,
    server.cpuMilliseconds,
  );
  const fullCost = await statementsOf(server, path, {});
  const unchangedCost = await statementsOf(server, path, known);
  return [
    { name: `${name}: 200`, bytes, statements: fullCost, wanted: FEED_RATIO, ...compared(full, bareFull) },
    {
      name: '  304, beside a bare 200',
      bytes,
      statements: unchangedCost,
      wanted: NOT_MODIFIED_RATIO,
      ...compared(unchanged, bareFull),
    },
    { name: '  304, beside a bare 304', bytes, statements: unchangedCost, ...compared(unchanged, bareUnchanged) },
  ];
}

async function comparePage(server: Server, name: string, path: string): Promise<RequestFigures> {
  const { bytes } = await copyToBare(server, path);
  const targets = [server.broadside, server.bare].map((base) => ({
    url: new URL(path, base),
    headers: {},
    status: 200,
  }));
  const [ours = [], bare = []] = await takeTurns(targets, ROUNDS, server.cpuMilliseconds);
  return { name, bytes, statements: await statementsOf(server, path, {}), ...compared(ours, bare) };
}

function compared(ours: Turn[], bare: Turn[]) {
  return {
    perSecond: middle(ours.map((turn) => turn.perSecond)),
    barePerSecond: middle(bare.map((turn) => turn.perSecond)),
    ratio: spreadOf(ours.map((turn, index) => turn.perSecond / (bare[index]?.perSecond ?? Number.NaN))),
    cpu: middle(ours.map((turn) => turn.cpu)),
    bareCpu: middle(bare.map((turn) => turn.cpu)),
  };
}

/** Gives the bare Worker the same bytes and ETag to serve. */
async function copyToBare(server: Server, path: string): Promise<{ bytes: number; etag: string }> {
  const response = await fetch(new URL(path, server.broadside));
  const body = await response.text();
  const etag = response.headers.get('etag') ?? '';
  await server.storeBare(path, body, etag);
  return { bytes: Buffer.byteLength(body), etag };
}

async function statementsOf(server: Server, path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(new URL(path, server.counted), { headers });
  return (JSON.parse(response.headers.get('x-usage') ?? '{}') as Usage).statements;
}

async function articlePath(server: Server): Promise<string> {
  const home = await (await fetch(server.broadside)).text();
  const path = /href="(?:http:\/\/localhost:8787)?(\/articles\/[^"]+)"/.exec(home)?.[1];
  if (path === undefined) throw new Error('the home page links to no article');
  return path;
}
