import type { Answer, IssueReference } from '../../src/domain/answer.ts';
import type { Job } from '../../src/domain/ports.ts';
import type { MailTemplate } from '../../src/render/mail/slots.ts';
import { callWorker, checked } from '../support/calls.ts';
import { migratedDatabase } from '../support/workerd.ts';
import { compileModule } from './compile.ts';
import type { Usage } from './counting.ts';
import { childOf, cpuOf } from './cpu.ts';
import type { SinkPorts } from './delivery-sink.ts';
import { addSubscribers, samplePublication } from './publication.ts';
import { start, worker } from './server.ts';

export const SIZES = [1000, 10_000] as const;
export type Size = (typeof SIZES)[number];
export type Carrier = 'smtp' | 'resend';

/** As wrangler.toml has it: `max_concurrency`. */
const CONSUMERS = 4;
const ARTICLES = 20;
const DOMAIN = 'harbour.example';

export type DeliveryServer = Awaited<ReturnType<typeof startDelivery>>;

/** The deployed bundle twice on one database, once for each transport, with a digest for each number of subscribers. */
export async function startDelivery(code: string, sink: SinkPorts) {
  const modules = { 'delivery.js': await compileModule('delivery-worker.ts'), 'broadside.js': code };
  const miniflare = await start([
    worker('smtp', modules, {
      MAIL_TRANSPORT: 'smtp',
      MAIL_DOMAIN: DOMAIN,
      SMTP_URL: `smtp://127.0.0.1:${sink.smtp}?tls=off`,
    }),
    worker('resend', modules, {
      MAIL_TRANSPORT: 'resend',
      MAIL_DOMAIN: DOMAIN,
      RESEND_API_KEY: 're_bench',
      RESEND_URL: `http://127.0.0.1:${sink.resend}`,
    }),
  ]);
  const pid = childOf(process.pid, 'workerd');
  const db = await migratedDatabase(miniflare, 'smtp');
  const bases = {
    smtp: await miniflare.unsafeGetDirectURL('smtp'),
    resend: await miniflare.unsafeGetDirectURL('resend'),
  };
  await fill(bases.smtp);
  return {
    cpuMilliseconds: () => cpuOf(pid),
    run: async (sql: string) => {
      await db.prepare(sql).run();
    },
    /** Freezes an issue with the same articles as the last, and as many readers. */
    freeze: async (size: Size): Promise<IssueReference> => {
      await db.prepare('DELETE FROM issueArticle').run();
      const response = await callWorker(bases.smtp, 'digest.run', { digest: digestOf(size) });
      const { issue } = (await response.json()) as Answer;
      if (issue?.audience !== size) throw new Error(`the issue is for ${issue?.audience}, not ${size} readers`);
      const { digest, number, revision } = issue;
      return { digest, number, revision };
    },
    sentOf: async ({ digest, number }: IssueReference): Promise<number> => {
      const sent = `SELECT count(*) AS count FROM delivery WHERE digest = ? AND number = ? AND status = 'sent'`;
      return Number((await db.prepare(sent).bind(digest, number).first())?.count);
    },
    template: async (size: Size): Promise<MailTemplate> => {
      const row = await db.prepare('SELECT mail FROM issueContent WHERE digest = ?').bind(digestOf(size)).first();
      return JSON.parse(String(row?.mail));
    },
    /** Does one job. @returns the jobs that follow */
    work: async (carrier: Carrier, job: Job): Promise<Job[]> => {
      const response = await fetch(new URL('/bench/job', bases[carrier]), {
        method: 'POST',
        body: JSON.stringify(job),
      });
      return (await checked(response)).json() as Promise<Job[]>;
    },
    usage: async (carrier: Carrier): Promise<Usage> => {
      const response = await fetch(new URL('/bench/usage', bases[carrier]));
      return response.json() as Promise<Usage>;
    },
    insertRows: async (count: number) => {
      await (await checked(await fetch(new URL(`/bench/rows?n=${count}`, bases.smtp)))).text();
    },
    stop: () => miniflare.dispose(),
  };
}

export function digestOf(size: Size): string {
  return `to-${size}`;
}

/**
 * Does jobs and what follows from them, by as many consumers at once as are deployed.
 * @param most of them
 * @returns the jobs that are left
 */
export async function workSome(server: DeliveryServer, carrier: Carrier, given: Job[], most: number): Promise<Job[]> {
  const jobs = [...given];
  const underWay = new Set<Promise<void>>();
  let begun = 0;
  while (underWay.size > 0 || (jobs.length > 0 && begun < most)) {
    for (const job of jobs.splice(0, Math.min(CONSUMERS - underWay.size, most - begun))) {
      begun += 1;
      const work: Promise<void> = server.work(carrier, job).then((following) => {
        jobs.push(...following);
        underWay.delete(work);
      });
      underWay.add(work);
    }
    await Promise.race(underWay);
  }
  return jobs;
}

async function fill(base: URL): Promise<void> {
  const { settings, article } = samplePublication();
  const digests = SIZES.map((size) => ({
    ...settings.digests[0],
    id: digestOf(size),
    title: `To ${size}`,
    topics: [],
  }));
  const sender = { name: 'The bench', email: `letters@${DOMAIN}` };
  await callWorker(base, 'publication.updated', { ...settings, sender, digests });
  for (let n = 0; n < ARTICLES; n += 1) await callWorker(base, 'article.published', article(n));
  for (const size of SIZES) await addSubscribers(base, size, digestOf(size));
}
