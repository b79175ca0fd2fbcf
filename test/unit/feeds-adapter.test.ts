import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A bound for a busy machine: three processes start here. */
const SLOW_MS = 60_000;
const adapter = new URL('../adapters/feeds.ts', import.meta.url).pathname;
const site = {
  title: 'Lantern Street',
  description: 'After dark',
  home: 'https://lantern.example/',
  language: 'en',
  feeds: {
    rss: 'https://lantern.example/rss.xml',
    atom: 'https://lantern.example/atom.xml',
    json: 'https://lantern.example/feed.json',
  },
  changed: null,
};
const article = {
  id: 'urn:x-test:1',
  url: 'https://lantern.example/n/one',
  title: 'One',
  html: '<a href="/x">x</a>',
  published: '2026-05-06T08:00:00Z',
};

function run(input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [adapter], {
    input,
    encoding: 'utf8',
    timeout: SLOW_MS,
  });
  return { status, stderr, ...(status === 0 ? JSON.parse(stdout) : {}) };
}

test(
  'articles become the three documents, with what was wrong beside them',
  () => {
    const broken = { ...article, id: 'urn:x-test:2', url: 'nowhere' };
    const undated = { ...article, id: 'urn:x-test:3', published: null };
    const image = 'https://lantern.example/c.png';
    const { status, rss, atom, json, errors } = run(
      JSON.stringify({
        site: { ...site, hub: 'https://hub.example/' },
        articles: [{ ...article, image }, broken, undated],
        now: '2026-06-01T00:00:00Z',
      }),
    );
    expect(status).toBe(0);
    expect(rss).toContain('<a href="https://lantern.example/x">x</a>');
    expect(atom).toContain('<link rel="hub" href="https://hub.example/"/>');
    expect(JSON.parse(json).items).toMatchObject([{ id: 'urn:x-test:1', image }]);
    expect(errors).toMatchObject([
      { id: 'urn:x-test:2', field: 'url' },
      { id: 'urn:x-test:3', field: 'publishedAt' },
    ]);
  },
  SLOW_MS,
);

test.each([
  ['no JSON', '{', 'SyntaxError'],
  ['a missing field', JSON.stringify({ site: { ...site, feeds: {} }, articles: [], now: '' }), 'site.feeds.rss'],
  ['an article without an id', JSON.stringify({ site, articles: [{ ...article, id: 5 }], now: '' }), 'articles[0].id'],
])(
  '%s is a fault that is named',
  (_, input, named) => {
    const { status, stderr } = run(input);
    expect(status).toBe(1);
    expect(stderr).toContain(named);
  },
  SLOW_MS,
);
