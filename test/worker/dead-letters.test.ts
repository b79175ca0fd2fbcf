import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import type { TestApp } from '../support/app.ts';
import { snapshot } from '../support/database.ts';
import { ADMIN, history, planned, queued } from '../support/feedback.ts';
import { DUE, newsroom, stopBefore } from '../support/newsroom.ts';

describe('dead letters', () => {
  const DAY = 86_400;
  const QUEUE = 'broadside-jobs-dead';
  const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
  const LETTERS = [
    { kind: 'deliver', issue: ISSUE, page: { after: '', through: 'zoe' } },
    { kind: 'subscribe', request: { email: 'ada@reader.example', digests: ['weekly'], at: DUE } },
    { kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'failed', error: '550 refused' },
    'of an older release: ada@reader.example',
    null,
  ];
  const KEPT = [
    { id: 'm0', at: DUE, job: { kind: 'deliver', issue: ISSUE, page: { after: '', through: 'zoe' } } },
    { id: 'm1', at: DUE, job: { kind: 'subscribe' } },
    {
      id: 'm2',
      at: DUE,
      job: { kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'failed', error: '550 refused' },
    },
    { id: 'm3', at: DUE, job: {} },
    { id: 'm4', at: DUE, job: {} },
  ];

  async function listed(app: TestApp) {
    const response = await app.fetch('/api/v1/dead-letters', { headers: ADMIN });
    return (await response.json<{ deadLetters: unknown[] }>()).deadLetters;
  }

  async function buried() {
    const app = await newsroom({ now: DUE });
    expect(await queued(app, QUEUE, LETTERS)).toMatchObject({ ackAll: true });
    return app;
  }

  test('are kept, logged and shown, without anybody’s address', async () => {
    const app = await buried();
    expect(await listed(app)).toEqual(KEPT);
    expect(app.logged.map(({ message, context }) => [message, context.id])).toEqual(
      KEPT.map(({ id }) => ['a job was given up', id]),
    );
    expect(JSON.stringify([app.logged, await snapshot()])).not.toContain('@reader.example');
  });

  test('told twice are kept once, as of the first time', async () => {
    const app = await buried();
    const before = await snapshot();
    app.clock.now = shift(DUE, 60);
    await queued(app, QUEUE, LETTERS);
    expect(await snapshot()).toEqual(before);
  });

  test('are for operators alone', async () => {
    expect((await (await buried()).fetch('/api/v1/dead-letters')).status).toBe(401);
  });

  test('that cannot be stored are not acknowledged', async () => {
    const app = await newsroom();
    app.deps.deadLetters = stopBefore(app.deps.deadLetters, 'keep');
    await expect(queued(app, QUEUE, LETTERS)).rejects.toThrow('stopped before keep');
  });

  test('are forgotten after 30 days', async () => {
    const app = await buried();
    await app.tick(shift(DUE, 30 * DAY));
    expect(await listed(app)).toHaveLength(KEPT.length);
    await app.tick(shift(DUE, 30 * DAY + 300));
    expect(await listed(app)).toEqual([]);
  });

  test('a mail that is refused for good ends here, and its row says the same', async () => {
    const { app } = await planned(['ada'], () => ({ status: 'failed', error: '554 no' }));
    await app.work();
    await queued(app, QUEUE, app.buried);
    expect(await listed(app)).toMatchObject([{ job: { kind: 'given up', subscriberId: 'ada', error: '554 no' } }]);
    expect((await history(app, 'ada')).issues).toMatchObject([{ status: 'failed', error: '554 no' }]);
  });
});
