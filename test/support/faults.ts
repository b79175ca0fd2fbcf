import { env } from 'cloudflare:workers';

/** Where work can be stopped: each is something that is awaited and that leaves the Worker. */
export type Point = 'database' | 'queue' | 'send' | 'close' | 'batch';

/** What goes wrong at the nth time that a point is reached. */
export interface PlannedFault {
  point: Point;
  nth: number;
  kind: string;
}

/** What breaks at each point; `before` and `after` throw, with the work undone or done. */
export const KINDS: Record<Point, readonly string[]> = {
  database: ['before', 'after'],
  queue: ['before', 'after', 'lost', 'twice'],
  send: ['before', 'after', 'lease runs out', 'some leave', 'some are suppressed', 'paused', 'cron twice'],
  close: ['before', 'after'],
  batch: ['lost', 'twice', 'twice at once'],
};

/** An exception that a test throws in the place of the platform's. */
export class Injected extends Error {
  /** Whether the work was done all the same. */
  readonly done: boolean;
  constructor(fault: PlannedFault) {
    super(describeFault(fault));
    this.done = fault.kind === 'after';
  }
}

export function describeFault({ point, nth, kind }: PlannedFault): string {
  return `${point} ${nth}: ${kind}`;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

/** Faults at random places of a run that reaches each point so many times. */
export function planFaults(random: () => number, reached: Record<Point, number>, count: number): PlannedFault[] {
  return Array.from({ length: count }, () => {
    const point = pick(random, Object.keys(KINDS) as Point[]);
    return { point, nth: 1 + Math.floor(random() * Math.max(reached[point], 1)), kind: pick(random, KINDS[point]) };
  });
}

/** Counts what is reached, and says what is to go wrong there; quiet once `open` is set. */
export function gate(faults: PlannedFault[]) {
  const reached: Record<Point, number> = { database: 0, queue: 0, send: 0, close: 0, batch: 0 };
  const met: PlannedFault[] = [];
  const state = { open: false };
  function at(point: Point): PlannedFault | undefined {
    reached[point] += 1;
    const fault = state.open ? undefined : faults.find((each) => each.point === point && each.nth === reached[point]);
    if (fault) met.push(fault);
    return fault;
  }
  /** Does the work, unless it is to be stopped before or after. */
  async function through<T>(point: Point, work: () => Promise<T>): Promise<T> {
    const fault = at(point);
    if (fault?.kind === 'before') throw new Injected(fault);
    const result = await work();
    if (fault?.kind === 'after') throw new Injected(fault);
    return result;
  }
  return { reached, met, state, at, through };
}

export type Gate = ReturnType<typeof gate>;

/** The database with each of its statements behind the gate. */
export function gatedDatabase({ through }: Pick<Gate, 'through'>): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: (column?: string) =>
        through('database', () => (column === undefined ? statement.first() : statement.first(column))),
      all: () => through('database', () => statement.all()),
      run: () => through('database', () => statement.run()),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      through('database', () => env.DB.batch(statements.map((each) => inner.get(each) ?? each))),
  } as unknown as D1Database;
}
