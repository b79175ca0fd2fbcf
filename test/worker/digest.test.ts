import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { NOW } from '../support/app.ts';
import { articleData, digestData } from '../support/content.ts';
import {
  addReaders,
  DUE,
  interrupted,
  issues,
  mailTo,
  newsroom,
  occurrences,
  outbox,
  ownLinks,
  publish,
  refusal,
  TICK_LATER,
  WEEK_LATER,
  withDigest,
} from '../support/newsroom.ts';

describe('what an issue takes', () => {
  test('back-dated and late articles are neither lost nor sent twice', async () => {
    const app = await newsroom({ articles: ['first'] });
    await app.tick(DUE);
    app.clock.now = shift(DUE, 3600);
    await publish(app, 'back-dated', { publishedAt: '2020-01-01T00:00:00Z' });
    await publish(app, 'just-before', { publishedAt: shift(DUE, -1) });
    await app.answer('article.updated', articleData('first', { title: 'Letter first, corrected' }));
    await app.tick(WEEK_LATER);
    await app.tick(shift(WEEK_LATER, 7 * 86_400));
    expect((await issues()).map(({ titles }) => titles)).toEqual([
      ['Letter first'],
      ['Letter just-before', 'Letter back-dated'],
    ]);
  });

  test('withdrawn, scheduled and foreign articles stay out; the scheduled one comes when its time has come', async () => {
    const app = await newsroom({ articles: ['kept', 'gone'] });
    await app.answer('article.withdrawn', { id: 'gone' });
    await publish(app, 'soon', { publishedAt: shift(DUE, 1) });
    await publish(app, 'on-time', { publishedAt: DUE });
    await publish(app, 'foreign', { topics: ['land'] });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    expect((await issues()).map(({ titles }) => titles)).toEqual([['Letter on-time', 'Letter kept'], ['Letter soon']]);
  });

  test.each([
    { digest: { topics: [] }, titles: ['c', 'b', 'a'] },
    { digest: { topics: ['land', 'sky'] }, titles: ['c', 'b'] },
    { digest: { topics: ['nothing'] }, titles: undefined },
    { digest: { topics: [], order: 'oldest' }, titles: ['a', 'b', 'c'] },
    { digest: { topics: [], order: 'newest' }, titles: ['c', 'b', 'a'] },
    { digest: { topics: [], since: '2026-06-02T00:00:00Z' }, titles: ['c', 'b'] },
    { digest: { topics: [], since: '2026-06-02T00:00:01Z' }, titles: ['c'] },
  ])('of three articles, with $digest', async ({ digest, titles }) => {
    const app = await newsroom(withDigest(digest));
    await publish(app, 'b', { title: 'b', topics: ['land'], publishedAt: '2026-06-02T00:00:00Z' });
    await publish(app, 'c', { title: 'c', topics: ['sky', 'sea'], publishedAt: '2026-06-03T00:00:00Z' });
    await publish(app, 'a', { title: 'a', topics: ['sea'], publishedAt: '2026-06-01T00:00:00Z' });
    await app.tick(DUE);
    expect((await issues())[0]?.titles).toEqual(titles);
  });

  test('two digests each take the same article once', async () => {
    const second = digestData({ id: 'second', title: 'Second' });
    const app = await newsroom({ settings: { digests: [digestData(), second] }, articles: ['one'] });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    expect(await issues()).toMatchObject([
      { digest: 'second', number: 1, titles: ['Letter one'] },
      { digest: 'weekly', number: 1, titles: ['Letter one'] },
    ]);
  });

  test('articles too big for one issue together wait for the next one', async () => {
    const app = await newsroom();
    const attachments = Array.from({ length: 45 }, (_, index) => ({
      url: `https://media.example/${'long/'.repeat(380)}${index}`,
      type: 'audio/mpeg',
      length: 1,
    }));
    for (const key of ['a', 'b', 'c', 'd']) await publish(app, key, { title: key, attachments });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    const made = await issues();
    expect(made.length).toBeGreaterThan(1);
    expect(made.flatMap(({ titles }) => titles).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('digest.run', () => {
  const RUN = { digest: 'weekly' };

  test('makes an issue at once, whatever the schedule says, and the due occurrence then finds nothing new', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada', 'bea']);
    expect(await app.answer('digest.run', RUN)).toEqual({
      id: 'weekly',
      outcome: 'issued',
      issue: { digest: 'weekly', number: 1, revision: 1, audience: 2 },
    });
    await app.work();
    expect((await outbox(app)).map(({ to }) => to).sort()).toEqual(['ada@reader.example', 'bea@reader.example']);
    await app.tick(DUE);
    expect(await occurrences(app)).toMatchObject([{ status: 'skipped' }]);
  });

  test('holds in mode approve, and skips with nothing new', async () => {
    const app = await newsroom(withDigest({ mode: 'approve' }));
    expect(await app.answer('digest.run', RUN)).toEqual({ id: 'weekly', outcome: 'skipped' });
    await publish(app, 'one');
    expect(await app.answer('digest.run', RUN)).toMatchObject({ outcome: 'held', issue: { number: 1 } });
    expect(await app.answer('digest.run', RUN)).toEqual({ id: 'weekly', outcome: 'skipped' });
    await app.work();
    expect((await outbox(app)).map(({ kind }) => kind)).toEqual(['notice']);
  });

  test('with testTo mails to that address alone and records nothing', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    const data = { ...RUN, testTo: 'Ana@News.example', subject: 'Trial' };
    expect(await app.answer('digest.run', data)).toEqual({ id: 'weekly', outcome: 'tested' });
    await app.work();
    const [mail, ...others] = await outbox(app);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'Ana@news.example', kind: 'test', subject: 'Trial' });
    expect(await issues()).toEqual([]);
    expect(await occurrences(app)).toEqual([]);
    expect((await app.fetch('/issues/weekly/1')).status).toBe(404);
    const links = ownLinks(await mailTo(app, 'Ana@news.example'));
    expect(links.filter((link) => link.includes('/unsubscribe/'))).toEqual(['http://localhost:8787/unsubscribe/test']);
    await app.tick(DUE);
    expect(await issues()).toMatchObject([{ number: 1, titles: ['Letter one'], subject: 'The week: Letter one' }]);
  });

  test.each(['a@b', 'a b@c.example', 'x@1.2.3.4', 'ü@c.example'])('with testTo %s is refused', async (testTo) => {
    const app = await newsroom({ articles: ['one'] });
    const { status, text } = await refusal(app.call('digest.run', { ...RUN, testTo }));
    expect(status).toBe(422);
    expect(text).toMatch(/\/data\/testTo must be an e-mail address/);
    expect(await outbox(app)).toEqual([]);
  });

  test('the same call again gets the same answer and mails nothing again', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    const first = await app.answer('digest.run', RUN, { id: 'run-1' });
    await app.work();
    await publish(app, 'two');
    expect(await app.answer('digest.run', RUN, { id: 'run-1' })).toEqual(first);
    await app.work();
    expect(await issues()).toHaveLength(1);
    expect(await outbox(app)).toHaveLength(1);
  });

  test('the same call twice at once makes one issue', async () => {
    const app = await newsroom({ articles: ['one'] });
    const answers = await Promise.all([1, 2].map(() => app.answer('digest.run', RUN, { id: 'run-1' })));
    expect(answers[0]).toEqual(answers[1]);
    expect(await issues()).toHaveLength(1);
  });

  test('at the same time as a tick makes one issue', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    app.clock.now = DUE;
    await Promise.all([app.tick(DUE), app.answer('digest.run', RUN)]);
    await app.tick(TICK_LATER);
    await app.work();
    expect(await issues()).toMatchObject([{ number: 1, titles: ['Letter one'] }]);
    expect(await outbox(app)).toHaveLength(1);
    expect(await occurrences(app)).toMatchObject([{ at: DUE, status: expect.stringMatching(/issued|skipped/) }]);
    expect(app.logged).toEqual([]);
  });

  test('while a tick composes: the tick gives way, and the next one records the occurrence', async () => {
    const app = await newsroom({ articles: ['one'] });
    app.clock.now = DUE;
    app.deps.issues = interrupted(app.deps.issues, 'freeze', () => app.answer('digest.run', RUN));
    await app.tick(DUE);
    await app.tick(TICK_LATER);
    expect(await issues()).toHaveLength(1);
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'skipped', reason: 'no article is new' }]);
  });

  test('of an unknown digest names those there are', async () => {
    const app = await newsroom();
    const { status, text } = await refusal(app.call('digest.run', { digest: 'daily' }));
    expect([status, text]).toEqual([422, 'Nothing was done. /data/digest no digest is called "daily"; known: weekly']);
  });

  test('takes what was published by now, not what is to come', async () => {
    const app = await newsroom();
    await publish(app, 'now', { publishedAt: NOW });
    await publish(app, 'soon', { publishedAt: shift(NOW, 1) });
    await app.answer('digest.run', RUN);
    expect((await issues())[0]?.titles).toEqual(['Letter now']);
  });
});
