import { Agent, request } from 'node:http';

const CONNECTIONS = 8;
/** Few, so that whatever else the machine does meets all targets alike. */
const TURN_REQUESTS = 16;
const TIMEOUT_MILLISECONDS = 20_000;

/** One kind of request. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
  status: number;
}

/** What a target reached in one turn. */
export interface Turn {
  perSecond: number;
  /** CPU milliseconds of a request. */
  cpu: number;
}

/**
 * Asks the targets in turns, round after round, over a few connections that stay open. The first round warms up and is
 * not counted.
 * @param cpu CPU milliseconds of the server so far
 */
export async function takeTurns(targets: Target[], rounds: number, cpu: () => number): Promise<Turn[][]> {
  const turns: Turn[][] = targets.map(() => []);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (let place = 0; place < targets.length; place += 1) {
        // Another one goes first in every round.
        const index = (place + round) % targets.length;
        const target = targets[index];
        if (!target) continue;
        const turn = await takeTurn(agent, target, cpu);
        if (round > 0) turns[index]?.push(turn);
      }
    }
    return turns;
  } finally {
    agent.destroy();
  }
}

async function takeTurn(agent: Agent, target: Target, cpu: () => number): Promise<Turn> {
  const cpuBefore = cpu();
  const start = performance.now();
  let left = TURN_REQUESTS;
  const connection = async () => {
    while (left-- > 0) await send(agent, target);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: TURN_REQUESTS / seconds, cpu: (cpu() - cpuBefore) / TURN_REQUESTS };
}

/** One request and all of its answer. @throws Error for any other status than the target's */
function send(agent: Agent, { url, headers, status }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url.href, { agent, headers, timeout: TIMEOUT_MILLISECONDS }, (response) => {
      response.once('error', reject).once('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}, not ${status}`));
      });
      response.resume();
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} took too long`)));
    sent.once('error', reject).end();
  });
}
