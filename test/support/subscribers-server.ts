import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ImportRow } from '../../src/build/subscribers-row.ts';

export interface ImportBody {
  digest: string;
  dryRun: boolean;
  consent?: string;
  rows: ImportRow[];
}

/** Plays the operators' API for subscribers over HTTP: one digest, `weekly`, and people in memory. */
export interface SubscribersServer {
  base: string;
  people: Map<string, Omit<ImportRow, 'line'>>;
  suppressed: Set<string>;
  bodies: ImportBody[];
  /** The most calls that were open at the same time. */
  mostOpen: () => number;
  /** Answers 500 to as many calls as `count`, after the next `after` ones. */
  failLater: (after: number, count: number) => void;
  close: () => Promise<void>;
}

const UNKNOWN_DIGEST = {
  detail: 'Nobody was imported.',
  errors: [{ pointer: '/digest', message: 'must be one of weekly' }],
};

export async function startSubscribersServer(token: string): Promise<SubscribersServer> {
  const people: SubscribersServer['people'] = new Map();
  const suppressed = new Set<string>();
  const bodies: ImportBody[] = [];
  let open = 0;
  let mostOpen = 0;
  let failures = { after: Number.POSITIVE_INFINITY, count: 0 };

  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { detail: 'No proof.' }];
    const url = new URL(request.url ?? '', 'http://localhost');
    const text = await bodyOf(request);
    failures.after -= 1;
    if (failures.after < 0 && failures.after >= -failures.count) return [500, { detail: 'Out of order.' }];
    if (request.method === 'GET') return [200, page(people, url.searchParams)];
    const body = JSON.parse(text) as ImportBody;
    if (body.digest !== 'weekly') return [422, UNKNOWN_DIGEST];
    bodies.push(body);
    return [200, importRows(people, suppressed, body)];
  };
  const server = createServer(async (request, response: ServerResponse) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const [status, body] = await answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    open -= 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}/`,
    people,
    suppressed,
    bodies,
    mostOpen: () => mostOpen,
    failLater: (after, count) => {
      failures = { after, count };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function importRows(people: SubscribersServer['people'], suppressed: Set<string>, { rows, dryRun }: ImportBody) {
  const counts = { created: 0, unchanged: 0, changed: 0, suppressed: 0 };
  for (const { line: _, ...row } of rows) {
    const known = people.get(row.email);
    const verdict = verdictOf(known?.status, row.status, suppressed.has(row.email));
    counts[verdict] += 1;
    if (!dryRun && (verdict === 'created' || verdict === 'changed')) people.set(row.email, row);
  }
  const faults = rows
    .filter(({ email }) => email.endsWith('.invalid'))
    .map(({ line }) => ({ line, message: 'refused' }));
  return { ...counts, faults };
}

function verdictOf(known: string | undefined, status: string, suppressed: boolean) {
  if (status === 'active' && suppressed) return 'suppressed';
  if (known === undefined) return 'created';
  return known === 'active' && status !== 'active' ? 'changed' : 'unchanged';
}

function page(people: SubscribersServer['people'], query: URLSearchParams) {
  const limit = Number(query.get('limit'));
  const sorted = [...people.values()].sort((a, b) => (a.email < b.email ? -1 : 1));
  const start = Number(query.get('after') ?? 0);
  const end = start + limit;
  return { subscribers: sorted.slice(start, end), next: end < sorted.length ? String(end) : null };
}
