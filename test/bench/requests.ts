import { type Comparison, compare, type Target } from './load.ts';
import { samplePublication } from './publication.ts';
import type { Server } from './server.ts';
import type { Usage } from './worker.ts';

export interface RequestFigures extends Comparison {
  name: string;
  /** D1 statements of one request. */
  queries: number;
  /** The ratio that is aimed at, where one is. */
  least?: number;
}

interface Kind {
  name: string;
  path: string;
  /** Whether the reader has the bytes already; and whether the bare Worker is asked in the same way. */
  conditional?: 'ours' | 'both';
  least?: number;
}

const ROUNDS = 8;

/** Feeds and pages of a filled server beside the bare reading of the same bytes. */
export async function compareRequests(server: Server): Promise<RequestFigures[]> {
  const kinds = await kindsOf(server);
  const etags = new Map<string, string>();
  for (const path of new Set(kinds.map((kind) => kind.path))) {
    const response = await fetch(new URL(path, server.broadside));
    const etag = response.headers.get('etag') ?? '';
    etags.set(path, etag);
    await server.storeBare(path, await response.text(), etag);
  }
  const pairs = kinds.map(({ name, path, conditional }) => {
    const has = (asks: boolean): Pick<Target, 'headers' | 'status'> =>
      asks ? { headers: { 'If-None-Match': etags.get(path) ?? '' }, status: 304 } : { status: 200 };
    const ours = { url: new URL(path, server.broadside), ...has(conditional !== undefined) };
    const bare = { url: new URL(path, server.bare), ...has(conditional === 'both') };
    return [name, { ours, bare }] as const;
  });
  const compared = await compare(Object.fromEntries(pairs), { rounds: ROUNDS, cpu: server.cpuMilliseconds });
  return Promise.all(
    kinds.flatMap(async ({ name, path, conditional, least }) => {
      const comparison = compared[name];
      if (!comparison) throw new Error(`${name} was not measured`);
      const headers = conditional ? { 'If-None-Match': etags.get(path) ?? '' } : {};
      const usage = JSON.parse(
        (await fetch(new URL(path, server.counted), { headers })).headers.get('x-usage') ?? '{}',
      ) as Usage;
      return { ...comparison, name, queries: usage.statements, ...(least === undefined ? {} : { least }) };
    }),
  );
}

async function kindsOf(server: Server): Promise<Kind[]> {
  const { rareTopic } = samplePublication();
  const rare = `/topics/${rareTopic}/rss.xml`;
  const home = await (await fetch(server.broadside)).text();
  const article = /href="(?:http:\/\/localhost:8787)?(\/articles\/[^"]+)"/.exec(home)?.[1];
  if (article === undefined) throw new Error('the home page links to no article');
  return [
    { name: 'feed of 50 articles: 200', path: '/rss.xml', least: 0.9 },
    { name: 'feed of 50 articles: 304 beside a bare 200', path: '/rss.xml', conditional: 'ours', least: 1 },
    { name: 'feed of 50 articles: 304 beside a bare 304', path: '/rss.xml', conditional: 'both' },
    { name: 'feed of 5 articles: 200', path: rare, least: 0.9 },
    { name: 'feed of 5 articles: 304 beside a bare 200', path: rare, conditional: 'ours', least: 1 },
    { name: 'feed of 5 articles: 304 beside a bare 304', path: rare, conditional: 'both' },
    { name: 'home page, 20 articles', path: '/' },
    { name: 'article page', path: article },
  ];
}
