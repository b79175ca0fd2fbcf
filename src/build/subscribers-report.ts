import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { UserError } from './fault.ts';

const FAULTS_SHOWN = 100;

/** A line of the file that was not imported, and why. */
export interface LineFault {
  line: number;
  message: string;
}

/** Names faulty lines, however many: the first hundred on the screen, and all of them in a file when there are more. */
export interface FaultReport {
  count: () => number;
  add: (fault: LineFault) => void;
  close: () => void;
}

/** Opens the report on the file at `path`; what an earlier run left in `PATH.faults.txt` is taken away. */
export function openFaultReport(path: string): FaultReport {
  const file = `${path}.faults.txt`;
  rmSync(file, { force: true });
  const shown: string[] = [];
  let count = 0;
  let descriptor: number | undefined;

  const add = ({ line, message }: LineFault) => {
    const text = `${path}:${line}: ${message}`;
    count += 1;
    if (count <= FAULTS_SHOWN) {
      shown.push(text);
      console.error(text);
      return;
    }
    descriptor ??= startFile(file, shown);
    writeSync(descriptor, `${text}\n`);
  };
  const close = () => {
    if (descriptor === undefined) return;
    closeSync(descriptor);
    console.error(`… and ${count - FAULTS_SHOWN} more; all ${count} are in ${file}.`);
  };
  return { count: () => count, add, close };
}

/** The file may quote addresses: it is for its owner only. */
function startFile(file: string, lines: readonly string[]): number {
  try {
    const descriptor = openSync(file, 'w', 0o600);
    writeSync(descriptor, lines.map((line) => `${line}\n`).join(''));
    return descriptor;
  } catch (error) {
    throw new UserError(
      `The faulty lines cannot be written to ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
