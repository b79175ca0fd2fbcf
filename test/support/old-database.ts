import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { DeliveryStatus } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp, testApp } from './app.ts';
import { snapshot } from './database.ts';
import { addReaders, newsroom, publish, withDigest } from './newsroom.ts';

/** The migrations of the release before deliveries had pages and feedback, and those since. */
const BEFORE = env.TEST_MIGRATIONS.filter(({ name }) => name < '0005');
const SINCE = env.TEST_MIGRATIONS.filter(({ name }) => name >= '0005');

/** When the release before sent its issues, and when it last wrote. */
const EARLIER = shift(NOW, -7200);
export const LATER = shift(EARLIER, 60);

export interface OldIssue {
  status: 'held' | 'planning' | 'sending' | 'sent' | 'cancelled';
  plannedThrough?: string;
}
export interface OldDelivery {
  number: number;
  name: string;
  status: DeliveryStatus;
  attempts?: number;
  error?: string;
  leasedUntil?: string;
}

/** Copied as they are: neither release's own. */
const COPIED = [
  'publication',
  'article',
  'articleRevision',
  'articleTopic',
  'subscriber',
  'subscription',
  'issueArticle',
  'receipt',
  'digestWatch',
  'feed',
];

export async function insert(table: string, rows: object[] = []): Promise<void> {
  // Columns that a later migration adds are not there yet.
  const { results } = await env.DB.prepare('SELECT name FROM pragma_table_info(?)').bind(table).all<{ name: string }>();
  const known = new Set(results.map(({ name }) => name));
  const names = Object.keys(rows[0] ?? {}).filter((name) => known.has(name));
  if (names.length === 0) return;
  const values = names.map((name) => `value ->> '${name}'`).join(', ');
  await env.DB.prepare(`INSERT INTO ${table} (${names.join(', ')}) SELECT ${values} FROM json_each(?) WHERE true`)
    .bind(JSON.stringify(rows))
    .run();
}

/**
 * A database as the release before left it: the publication, its articles and readers, and issues with what was truly
 * composed for them, numbered from 1.
 */
export async function oldDatabase(readers: string[], old: OldIssue[], rows: OldDelivery[]) {
  const app = await newsroom(withDigest({ mode: 'approve' }));
  await addReaders(readers);
  for (let number = 1; number <= old.length; number += 1) {
    await publish(app, `letter-${number}`);
    await app.answer('digest.run', { digest: 'weekly', intro: `Number ${number}.` });
  }
  const composed = await contents(app, old.length);
  const tables = (await snapshot()) as Record<string, Record<string, unknown>[]>;
  await reset();
  await applyD1Migrations(env.DB, BEFORE);
  for (const table of COPIED) await insert(table, tables[table]);
  await insert('issue', oldIssues(tables, old));
  await insert('delivery', rows.map(oldDelivery));
  return { composed };
}

/** What readers and mails are made of, by number. */
export async function contents(app: TestApp, count: number) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const { subject, intro, articles, html } = (await app.deps.issues.read('weekly', number)) ?? {};
      const { subject: mailed, template } = (await app.deps.issues.mail(issueOf(number))) ?? {};
      return { subject, intro, articles, html, mail: { subject: mailed, template } };
    }),
  );
}

export function issueOf(number: number) {
  return { digest: 'weekly', number, revision: 1 };
}

function oldIssues(tables: Record<string, Record<string, unknown>[]>, old: OldIssue[]): object[] {
  return old.map(({ status, plannedThrough = '' }, index) => {
    const { cause, subject, intro, createdAt } = tables.issue?.[index] ?? {};
    const releasedAt = status === 'held' ? null : EARLIER;
    const times = { createdAt, releasedAt, touchedAt: LATER, editorToldAt: EARLIER };
    return { ...tables.issueContent?.[index], status, cause, subject, intro, plannedThrough, ...times };
  });
}

function oldDelivery({ number, name, status, attempts = 0, error, leasedUntil }: OldDelivery) {
  const id = `old-${number}-${name}`;
  return {
    id,
    ...issueOf(number),
    subscriberId: name,
    status,
    attempts,
    error: error ?? null,
    leasedUntil: leasedUntil ?? null,
    updatedAt: LATER,
  };
}

export async function upgraded(): Promise<TestApp> {
  await applyD1Migrations(env.DB, SINCE);
  return testApp();
}
