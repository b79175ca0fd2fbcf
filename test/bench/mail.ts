import type { Entry } from '../../src/domain/article.ts';
import { renderDigest } from '../../src/render/mail/digest.ts';
import { composeMail } from '../../src/render/mail/mime.ts';
import { fillMail, slotMark } from '../../src/render/mail/slots.ts';
import { digestLtr } from '../../src/render/templates.gen.ts';
import { digest, digestView, entries, links, publication, reference } from '../support/mail.ts';
import { middle } from './figures.ts';

/** CPU milliseconds, medians of alternated rounds. */
export interface DigestTimes {
  articles: number;
  /** The generated function alone, from a view to HTML. */
  fill: number;
  /** `renderDigest`: choosing what fits, the view, the fill, and the text part. */
  render: number;
  /** The same for articles without a summary, whose first sentences are looked for. */
  renderWithoutSummary: number;
  /** Handlebars and mjml, from the template's source. */
  mjml: number;
}

const ROUNDS = 9;
const ROUND_MILLISECONDS = 40;
/** Asking for the time costs as much as a tenth of the fastest call. */
const CALLS_AT_ONCE = 10;
const NONCE = 'bench0bench0bench0';

/** How long it takes to fill a digest of so many articles, beside `mjml`'s own render of the same. */
export async function timeDigest(articles: number): Promise<DigestTimes> {
  const view = digestView(articles, 'ltr');
  const withSummaries = entries(articles);
  const without = withSummaries.map(({ summary, ...entry }) => ({ ...entry, html: body(entry) }));
  const variants = {
    fill: () => digestLtr(view),
    render: () => renderDigest(input(withSummaries)),
    renderWithoutSummary: () => renderDigest(input(without)),
  };
  const times = { fill: [], render: [], renderWithoutSummary: [], mjml: [] } as Record<string, number[]>;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(variants)) {
      const took = timeOf(run);
      if (round > 0) times[name]?.push(took);
    }
    const before = cpuMilliseconds();
    await reference('digest', view, 'ltr');
    if (round > 0) times.mjml?.push(cpuMilliseconds() - before);
  }
  const of = (name: string) => middle(times[name] ?? []);
  return {
    articles,
    fill: of('fill'),
    render: of('render'),
    renderWithoutSummary: of('renderWithoutSummary'),
    mjml: of('mjml'),
  };
}

/** Composing a digest of so many articles once, and filling it for one recipient, in CPU milliseconds. */
export async function timeMail(articles: number): Promise<{ compose: number; fill: number; bytes: number }> {
  const mail = renderDigest({
    ...input(entries(articles)),
    links: { ...links, unsubscribe: slotMark('unsubscribe', NONCE) },
  });
  const order = {
    from: { name: publication.title, email: 'letters@harbour.example' },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    date: DATE,
    nonce: NONCE,
    slots: [],
    list: { id: 'weekly.harbour.example', title: digest.title, archiveUrl: links.web, feedbackId: '7:weekly:digest:x' },
  };
  const composing: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = cpuMilliseconds();
    await composeMail(order);
    if (round > 0) composing.push(cpuMilliseconds() - before);
  }
  const template = await composeMail(order);
  const values = {
    to: 'reader@reader.example',
    messageId: '<weekly.7.1.0123456789abcdef@harbour.example>',
    unsubscribe: `https://harbour.example/unsubscribe/${'a'.repeat(150)}`,
  };
  const filling = Array.from({ length: ROUNDS }, () => timeOf(() => fillMail(template, values)));
  return { compose: middle(composing), fill: middle(filling), bytes: Buffer.byteLength(fillMail(template, values)) };
}

const DATE = '2026-03-31T08:00:00Z';

function input(articles: Omit<Entry, 'summary'>[]): Parameters<typeof renderDigest>[0] {
  return { publication, digest, number: 7, articles, date: DATE, links };
}

/** About as long as an article of seeds/. */
function body({ html }: Pick<Entry, 'html'>): string {
  return `${html}<p>A boat came in. It had no name.</p>`.repeat(40);
}

/** Milliseconds of one call, measured over as many as fit into a round. */
function timeOf(run: () => unknown): number {
  const before = cpuMilliseconds();
  let calls = 0;
  do {
    for (let call = 0; call < CALLS_AT_ONCE; call += 1) run();
    calls += CALLS_AT_ONCE;
  } while (cpuMilliseconds() - before < ROUND_MILLISECONDS);
  return (cpuMilliseconds() - before) / calls;
}

/** This thread's own: what else runs on the machine does not count. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
