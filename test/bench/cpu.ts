import { readdirSync, readFileSync } from 'node:fs';

/** CPU time by Linux's /proc: unlike wall time, it does not grow with what else the machine does. In milliseconds. */

/** Of this thread. */
export function ownCpu(): number {
  return runTime('/proc/thread-self');
}

/** Of the threads that a process has. */
export function cpuOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + runTime(`/proc/${pid}/task/${task}`), 0);
}

/** Of a process, threads that have ended included, in steps of 10 ms. */
export function wholeCpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user, system] = fields.slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** The one process of a name that another has started. @throws Error when there is none */
export function childOf(parent: number, name: string): number {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, command, ppid] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return command === name && Number(ppid) === parent;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error(`${name} is not found among the processes of /proc`);
  return Number(found);
}

function runTime(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
