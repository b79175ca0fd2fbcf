import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp, testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';
import { emptyDatabase, type Snapshot, snapshot } from '../support/database.ts';
import { describeFault, type Gate, gate, gatedDatabase, Injected, type PlannedFault } from '../support/faults.ts';
import { addReaders, DUE } from '../support/newsroom.ts';

const LATER = shift(DUE, 7200);
const CORRECTED = articleData('one', {
  title: 'Letter one, corrected',
  topics: ['sea', 'shore'],
  correction: { note: 'It was Quay 2.' },
  reissue: true,
});

/** An app whose every read, write and message goes through a gate. Chance is taken out, so that end states can be compared. */
function gatedApp(behind: Gate, now: string): TestApp {
  const app = testApp({ db: gatedDatabase(behind), now });
  const { send } = app.deps.queue;
  app.deps.newId = () => '00000000-0000-4000-8000-000000000000';
  app.deps.queue = {
    ...app.deps.queue,
    send: (jobs, delaySeconds) => behind.through('queue', () => send(jobs, delaySeconds)),
  };
  return app;
}

/** An issue of two articles that three people had, and one of them left. */
async function mailed(): Promise<void> {
  await emptyDatabase();
  const app = gatedApp(gate([]), NOW);
  await app.answer('publication.updated', publicationData(), { id: 'settings' });
  for (const key of ['one', 'two']) await app.answer('article.published', articleData(key), { id: key });
  await addReaders(['ada', 'bea', 'cid']);
  app.clock.now = DUE;
  await app.tick(DUE);
  await app.work();
  await app.deps.subscriptions.unsubscribe('cid', ['weekly'], { way: 'mail' }, DUE);
}

/** Makes a call that is stopped at one place, repeats it, and lets all that follows from it happen. */
async function stopped(
  type: string,
  data: unknown,
  fault?: PlannedFault,
): Promise<{ outcome: string; end: Snapshot; reached: Gate['reached']; met: number }> {
  await mailed();
  const behind = gate(fault ? [fault] : []);
  const app = gatedApp(behind, LATER);
  const call = () => app.call(type, data, { id: 'correction', timestamp: LATER });
  const first = await call();
  // What only follows from the call may be lost without a word: the call was done.
  expect([200, 500], await first.clone().text()).toContain(first.status);
  const reached = { ...behind.reached };
  behind.state.open = true;
  const second = await call();
  expect(second.status).toBe(200);
  const { outcome } = await second.json<{ outcome: string }>();
  await app.work();
  for (const { context } of app.logged) expect(context.error).toBeInstanceOf(Injected);
  return { outcome, end: await snapshot(), reached, met: behind.met.length };
}

describe.each([
  ['a correction that is published', 'article.updated', { ...CORRECTED, reissue: false }, 'updated', 3],
  ['a correction that is mailed', 'article.updated', CORRECTED, 'reissued', 5],
  ['a reissue', 'issue.reissue', { digest: 'weekly', reason: 'Two links led nowhere.' }, 'reissued', 5],
  ['a withdrawal', 'article.withdrawn', { id: 'one', note: 'It was wrong.' }, 'withdrawn', 3],
] as const)('%s', (_name, type, data, outcome, mails) => {
  test('stopped before or after any await, and repeated, comes to the same end', { timeout: 120_000 }, async () => {
    const { end, reached, ...clean } = await stopped(type, data);
    expect([clean.outcome, end.outbox?.length]).toEqual([outcome, mails]);
    const faults = (['database', 'queue'] as const).flatMap((point) =>
      Array.from({ length: reached[point] }, (_, index) => index + 1).flatMap((nth) =>
        ['before', 'after'].map((kind): PlannedFault => ({ point, nth, kind })),
      ),
    );
    expect(faults.length).toBeGreaterThan(10);
    let met = 0;
    for (const fault of faults) {
      const again = await stopped(type, data, fault);
      expect(again.outcome).toBe(outcome);
      expect(again.end, describeFault(fault)).toEqual(end);
      met += again.met;
    }
    expect(met).toBe(faults.length);
    console.info(`${type}: ${met} places to stop at`);
  });
});
