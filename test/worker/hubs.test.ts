import { beforeEach, expect, test } from 'vitest';
import { hubs } from '../../src/platform/hubs.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';

const HUB = 'https://hub.example/';
let app: TestApp;
let announced: { hub: string; topics: string[] }[];

beforeEach(async () => {
  app = testApp();
  announced = [];
  app.deps.hubs = { announce: async (hub, topics) => void announced.push({ hub, topics }) };
});

const feeds = (folder: string) =>
  ['rss.xml', 'atom.xml', 'feed.json'].map((file) => `http://localhost:8787/${folder}${file}`);

test('a publish tells the hub which feeds changed; one that changes nothing tells nobody', async () => {
  await app.answer('publication.updated', publicationData({ hubs: [HUB] }));
  await app.work();
  announced = [];
  await app.answer('article.published', articleData('one'));
  await app.work();
  expect(announced).toEqual([{ hub: HUB, topics: [...feeds(''), ...feeds('topics/sea/')] }]);
  await app.answer('article.published', articleData('one'));
  await app.work();
  expect(announced).toHaveLength(1);
});

test('no hub, no announcement', async () => {
  await app.answer('publication.updated', publicationData());
  await app.answer('article.published', articleData('one'));
  expect(app.jobs).toEqual([]);
});

test('the call is the one hubs understand, and a hub that refuses is tried again', async () => {
  const sent: { url: string; body: string }[] = [];
  const answer = (status: number) =>
    hubs(async (input, init) => {
      sent.push({ url: String(input), body: String(init?.body) });
      return new Response(null, { status });
    });
  await answer(204).announce(HUB, ['https://news.example/rss.xml', 'https://news.example/atom.xml']);
  expect(sent).toEqual([
    {
      url: HUB,
      body: 'hub.mode=publish&hub.url=https%3A%2F%2Fnews.example%2Frss.xml&hub.url=https%3A%2F%2Fnews.example%2Fatom.xml',
    },
  ]);
  await expect(answer(500).announce(HUB, [])).rejects.toThrow('https://hub.example/ answered 500');
});
