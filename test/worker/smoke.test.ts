import { expect, test } from 'vitest';
import { testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';

test('publish, compose, mail', async () => {
  const app = testApp();
  expect(await app.answer('publication.updated', publicationData())).toMatchObject({ outcome: 'created' });
  expect(await app.answer('article.published', articleData('one'))).toMatchObject({ outcome: 'created', revision: 1 });
  expect(await (await app.fetch('/rss.xml')).text()).toContain('Letter one');
  expect(
    await app.deps.subscribers.subscribe(
      { id: 's1', email: 'ada@reader.example', addressHash: 'x' },
      'weekly',
      app.clock.now,
    ),
  ).toBe(true);
  await app.tick('2026-06-16T06:00:00Z');
  await app.work();
  const { messages } = await (await app.fetch('/outbox.json')).json<{ messages: { to: string }[] }>();
  expect(messages.map(({ to }) => to)).toEqual(['ada@reader.example']);
  expect(app.logged).toEqual([]);
});
