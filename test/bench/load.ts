import { Agent, request } from 'node:http';
import { middle, type Spread, spreadOf } from './figures.ts';

const CONNECTIONS = 8;
const TIMEOUT_MILLISECONDS = 20_000;
/** A turn ends after this time or with so many requests, whichever comes first. */
const TURN_MILLISECONDS = 250;
const TURN_REQUESTS = 250;

/** One kind of request, and what it is compared with. */
export interface Target {
  url: URL;
  headers?: Record<string, string>;
  status: number;
}

/** What a target reached in one turn. */
interface Turn {
  perSecond: number;
  cpuMilliseconds: number;
}

export interface Comparison {
  /** Bytes of one answer. */
  bytes: number;
  /** Medians of the rounds. */
  perSecond: number;
  barePerSecond: number;
  /** Requests a second over those of the bare Worker in the same round. */
  ratio: Spread;
  /** CPU milliseconds a request, of workerd with D1. */
  cpu: number;
  bareCpu: number;
}

/**
 * Asks each pair's two targets in turns, round after round, over a few connections that stay open. The first round
 * warms up and is not counted.
 */
export async function compare(
  pairs: Record<string, { ours: Target; bare: Target }>,
  { rounds, cpu }: { rounds: number; cpu: () => number },
): Promise<Record<string, Comparison>> {
  const results = Object.entries(pairs).map(([name, pair]) => ({ name, pair, ours: [] as Turn[], bare: [] as Turn[] }));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { pair, ours, bare } of results) {
        // Whoever goes first changes from round to round.
        for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const measured = await measure(agent, side === 0 ? pair.ours : pair.bare, cpu);
          if (round > 0) (side === 0 ? ours : bare).push(measured);
        }
      }
    }
    const compared = results.map(async ({ name, pair, ours, bare }) => {
      const bytes = await send(agent, pair.ours);
      const bareBytes = await send(agent, pair.bare);
      if (bytes !== bareBytes && pair.ours.status === pair.bare.status)
        throw new Error(`${name}: ${bytes} and ${bareBytes} bytes`);
      return [name, comparisonOf(bytes, ours, bare)] as const;
    });
    return Object.fromEntries(await Promise.all(compared));
  } finally {
    agent.destroy();
  }
}

function comparisonOf(bytes: number, ours: Turn[], bare: Turn[]): Comparison {
  const perSecond = (turns: Turn[]) => middle(turns.map((round) => round.perSecond));
  const cpu = (turns: Turn[]) => middle(turns.map((round) => round.cpuMilliseconds));
  return {
    bytes,
    perSecond: perSecond(ours),
    barePerSecond: perSecond(bare),
    ratio: spreadOf(ours.map((round, index) => round.perSecond / (bare[index]?.perSecond ?? Number.NaN))),
    cpu: cpu(ours),
    bareCpu: cpu(bare),
  };
}

async function measure(agent: Agent, target: Target, cpu: () => number): Promise<Turn> {
  const cpuBefore = cpu();
  const start = performance.now();
  let requests = 0;
  const connection = async () => {
    while (requests < TURN_REQUESTS && performance.now() - start < TURN_MILLISECONDS) {
      requests += 1;
      await send(agent, target);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: requests / seconds, cpuMilliseconds: (cpu() - cpuBefore) / requests };
}

/** The bytes of one answer's body. @throws Error for any other status than the target's */
function send(agent: Agent, { url, headers = {}, status }: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url.href, { agent, headers, timeout: TIMEOUT_MILLISECONDS }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('error', reject).once('end', () => {
        if (response.statusCode === status) resolve(bytes);
        else reject(new Error(`${url} answered ${response.statusCode}, not ${status}`));
      });
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} took too long`)));
    sent.once('error', reject).end();
  });
}
