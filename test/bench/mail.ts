import type { Entry } from '../../src/domain/article.ts';
import { renderDigest } from '../../src/render/mail/digest.ts';
import { fieldsTemplate, fillFields } from '../../src/render/mail/fields.ts';
import { composeMail } from '../../src/render/mail/mime.ts';
import { fillMail, slotMark } from '../../src/render/mail/slots.ts';
import { digestLtr } from '../../src/render/templates.gen.ts';
import { digest, digestView, entries, links, publication, reference } from '../support/mail.ts';
import { ownCpu } from './cpu.ts';
import { middle } from './figures.ts';
import { composeByNodemailer, mailsLike } from './nodemailer.ts';

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
/** Until V8 has found the size of heap that so many large buffers ask for. */
const MAIL_WARM_UP = 20;
const NONCE = 'bench0bench0bench0';

/** How long it takes to fill a digest of so many articles, beside `mjml`'s own render of the same. */
export function timeDigest(articles: number): Promise<DigestTimes> {
  const view = digestView(articles, 'ltr');
  const withSummaries = entries(articles);
  const without = withSummaries.map(({ summary, ...entry }) => ({ ...entry, html: body(entry) }));
  return alternated({
    fill: () => digestLtr(view),
    render: () => renderDigest(input(withSummaries)),
    renderWithoutSummary: () => renderDigest(input(without)),
    mjml: () => reference('digest', view, 'ltr'),
  });
}

/** CPU milliseconds of making the mails of an issue, medians of alternated rounds. */
export interface MailTimes {
  /** One whole mail by nodemailer's MailComposer, as one would for each recipient. */
  mailComposer: number;
  /** Ours, once for all: composed and cut at its slots. */
  compose: number;
  /** Filled for one recipient: as bytes, and as the JSON of an HTTP provider. */
  fill: number;
  fillJson: number;
}

/** What the mails of a digest of so many articles take, beside composing each. */
export async function timeMail(articles: number): Promise<MailTimes & { bytes: number }> {
  const order = orderOf(articles);
  const template = await composeMail(order);
  const fields = await fieldsTemplate(template);
  const write = await mailsLike(template);
  const values = {
    to: 'reader@reader.example',
    messageId: '<weekly.7.1.0123456789abcdef@harbour.example>',
    unsubscribe: `https://harbour.example/unsubscribe/${'a'.repeat(150)}`,
  };
  const variants = {
    mailComposer: () => composeByNodemailer(write, 1),
    compose: () => composeMail(order),
    // A string that was only concatenated is not made yet.
    fill: () => Buffer.from(fillMail(template, values), 'latin1'),
    fillJson: () => JSON.stringify(fillFields(fields, values)),
  };
  const times = await alternated(variants, MAIL_WARM_UP);
  return { ...times, bytes: Buffer.byteLength(fillMail(template, values)) };
}

function orderOf(articles: number): Parameters<typeof composeMail>[0] {
  const mail = renderDigest({
    ...input(entries(articles)),
    links: { ...links, unsubscribe: slotMark('unsubscribe', NONCE) },
  });
  return {
    from: { name: publication.title, email: 'letters@harbour.example' },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    date: DATE,
    nonce: NONCE,
    slots: [],
    list: { id: 'weekly.harbour.example', title: digest.title, archiveUrl: links.web, feedbackId: '7:weekly:digest:x' },
  };
}

const DATE = '2026-03-31T08:00:00Z';

function input(articles: Omit<Entry, 'summary'>[]): Parameters<typeof renderDigest>[0] {
  return { publication, digest, number: 7, articles, date: DATE, links };
}

/** About as long as an article of seeds/. */
function body({ html }: Pick<Entry, 'html'>): string {
  return `${html}<p>A boat came in. It had no name.</p>`.repeat(40);
}

/** Medians of rounds in turns, after some that warm up and are not counted. */
async function alternated<Name extends string>(
  variants: Record<Name, () => unknown>,
  warmUp = 1,
): Promise<Record<Name, number>> {
  const entriesOf = Object.entries(variants) as [Name, () => unknown][];
  const times = entriesOf.map((): number[] => []);
  for (let round = 0; round < warmUp + ROUNDS; round += 1) {
    for (const [index, [, run]] of entriesOf.entries()) {
      const took = await timeOf(run);
      if (round >= warmUp) times[index]?.push(took);
    }
  }
  return Object.fromEntries(entriesOf.map(([name], index) => [name, middle(times[index] ?? [])])) as Record<
    Name,
    number
  >;
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
