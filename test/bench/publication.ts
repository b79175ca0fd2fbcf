import { readContent } from '../../src/build/content.ts';
import { ROOT } from '../support/bundle.ts';
import { checked } from '../support/calls.ts';
import { TEST_SECRETS } from '../support/secrets.ts';

const HOUR_MILLISECONDS = 3_600_000;

/** The publication of seeds/, with as many articles as one likes: its own, again and again. */
export function samplePublication() {
  const { publication, articles } = readContent(`${ROOT}/seeds`);
  const topics = (publication.data.topics as { slug: string }[]).map(({ slug }) => slug);
  const topic = topics[0] ?? '';
  const digests = [
    { id: 'bench', title: 'The bench', topics: [topic], schedule: { cron: '0 8 * * 5', timezone: 'UTC' } },
  ];

  /** Number `n`, `n` hours old, in three topics; every fortieth in a topic with few others. */
  function article(n: number): Record<string, unknown> {
    const { aliases, slug, ...data } = articles[n % articles.length]?.data ?? {};
    return {
      ...data,
      id: `bench-${n}`,
      title: `${data.title} (${n})`,
      topics: n % 40 === 0 ? [...topics.slice(0, 2), topics.at(-1)] : topics.slice(0, 3),
      publishedAt: new Date(Date.now() - (n + 1) * HOUR_MILLISECONDS).toISOString(),
    };
  }
  return { settings: { ...publication.data, digests }, rareTopic: topics.at(-1) ?? '', article };
}

/** Rows of one call, the most that the API takes. */
const IMPORT_ROWS = 500;

/** Adds `count` subscribers to a digest. */
export async function addSubscribers(base: URL, count: number, digest = 'bench'): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    line: n + 1,
    email: `reader-${n}@reader.example`,
    status: 'active',
  }));
  for (let start = 0; start < count; start += IMPORT_ROWS) {
    const page = { digest, dryRun: false, consent: 'bench', rows: rows.slice(start, start + IMPORT_ROWS) };
    await checked(
      await fetch(new URL('/api/v1/subscribers/import', base), {
        method: 'POST',
        headers: { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(page),
      }),
    );
  }
}
