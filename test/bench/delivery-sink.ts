import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What arrived since the last time. */
export interface Taken {
  mails: number;
  /** How many different people they went to. */
  people: number;
  bytes: number;
}

/** Where the sinks listen. */
export interface SinkPorts {
  smtp: number;
  resend: number;
}

export interface Sink extends SinkPorts {
  taken(): Promise<Taken>;
  stop(): Promise<void>;
}

/** An SMTP server and an HTTP provider in a process of their own, so that neither contestant pays for them. */
export async function startSink(): Promise<Sink> {
  const child = fork(join(import.meta.dirname, 'delivery-sink-process.ts'));
  const ports = await answerOf<SinkPorts>(child);
  return {
    ...ports,
    taken: () => {
      child.send('taken');
      return answerOf<Taken>(child);
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = new AbortController();
  const fail = () => ended.abort(new Error('the sink is gone'));
  child.once('exit', fail);
  const [answer] = await once(child, 'message', { signal: ended.signal });
  child.off('exit', fail);
  return answer as Answer;
}
