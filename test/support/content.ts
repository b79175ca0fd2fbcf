/** The settings of the test publication; `changes` replace fields. */
export function publicationData(changes: Record<string, unknown> = {}) {
  return {
    title: 'Tide Notes',
    description: 'Letters from a harbour',
    language: 'en',
    author: { name: 'Ana Ro' },
    sender: { name: 'Tide Notes', email: 'letters@news.example' },
    replyTo: 'desk@news.example',
    postalAddress: 'Quay 1, Harbour',
    topics: [{ slug: 'sea', title: 'The sea' }],
    digests: [digestData()],
    ...changes,
  };
}

/** A weekly digest, due on Tuesdays at 08:00 in Berlin. */
export function digestData(changes: Record<string, unknown> = {}) {
  return {
    id: 'weekly',
    title: 'The week',
    topics: ['sea'],
    schedule: { cron: '0 8 * * 2', timezone: 'Europe/Berlin' },
    ...changes,
  };
}

/** An article as a caller sends it; `changes` replace fields. */
export function articleData(key: string, changes: Record<string, unknown> = {}) {
  return {
    id: key,
    title: `Letter ${key}`,
    summary: `What letter ${key} says`,
    bodyMarkdown: `Body of **letter ${key}**, with [a link](/somewhere).`,
    authors: [{ name: 'Ana Ro' }],
    topics: ['sea'],
    publishedAt: '2026-06-10T09:00:00Z',
    ...changes,
  };
}
