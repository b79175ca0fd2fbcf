import type { Hubs } from '../domain/ports.ts';

const TIMEOUT_MILLISECONDS = 10_000;

/** Public WebSub hubs. The call that publishers and hubs agreed on: `hub.mode=publish` and the changed topics. */
export function hubs(send: typeof fetch = (input, init) => fetch(input, init)): Hubs {
  return {
    async announce(hub, topics) {
      const body = new URLSearchParams([['hub.mode', 'publish'], ...topics.map((topic) => ['hub.url', topic])]);
      const response = await send(hub, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
      if (!response.ok) throw new Error(`the hub ${hub} answered ${response.status}`);
    },
  };
}
