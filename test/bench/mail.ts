import type { Entry } from '../../src/domain/article.ts';
import { renderDigest } from '../../src/render/mail/digest.ts';
import { composeMail } from '../../src/render/mail/mime.ts';
import { fillMail, slotMark } from '../../src/render/mail/slots.ts';
import { digestLtr } from '../../src/render/templates.gen.ts';
import { digest, digestView, entries, links, publication, reference } from '../support/mail.ts';
import { ownCpu } from './cpu.ts';
import { middle } from './figures.ts';

/** CPU milliseconds, medians of alternated rounds. */
export interface DigestTimes {
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
    mjml: () => reference('digest', view, 'ltr'),
  };
  const times: Record<keyof typeof variants, number[]> = { fill: [], render: [], renderWithoutSummary: [], mjml: [] };
  const names = Object.keys(variants) as (keyof typeof variants)[];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const took = await timeOf(variants[name]);
      if (round > 0) times[name].push(took);
    }
  }
  return {
    fill: middle(times.fill),
    render: middle(times.render),
    renderWithoutSummary: middle(times.renderWithoutSummary),
    mjml: middle(times.mjml),
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
  const template = await composeMail(order);
  const values = {
    to: 'reader@reader.example',
    messageId: '<weekly.7.1.0123456789abcdef@harbour.example>',
    unsubscribe: `https://harbour.example/unsubscribe/${'a'.repeat(150)}`,
  };
  const composing: number[] = [];
  const filling: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    composing.push(await timeOf(() => composeMail(order)));
    filling.push(await timeOf(() => fillMail(template, values)));
  }
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

/** CPU milliseconds of one call, measured over as many as fit into a round. */
async function timeOf(run: () => unknown): Promise<number> {
  const before = ownCpu();
  const start = performance.now();
  let calls = 0;
  do {
    await run();
    calls += 1;
  } while (performance.now() - start < ROUND_MILLISECONDS);
  return (ownCpu() - before) / calls;
}
