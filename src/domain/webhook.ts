import * as z from 'zod/mini';
import type { Fault } from './errors.ts';
import { plainPath } from './feed.ts';
import { scheduleFaults } from './schedule.ts';
import { instant, isUnset, milliseconds } from './time.ts';
import { faultsOf } from './validation.ts';

const BODIES = ['bodyMarkdown', 'bodyHtml', 'bodyText'] as const;
/** Where the four years begin in which a schedule must be due; a pattern has no year, so any instant will do. */
const SCHEDULES_FROM = '2026-01-01T00:00:00Z';
const SLUG = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

const text = (most: number) =>
  z
    .string()
    .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(most, `must have at most ${most} characters`));
const line = (most: number) => text(most).check(z.regex(/^[^\r\n]*$/, 'must be one line'));
const slug = z
  .string()
  .check(
    z.maxLength(100, 'must have at most 100 characters'),
    z.regex(SLUG, 'must be a slug: lower-case letters and digits, joined by single hyphens'),
  );
const webUrl = z
  .string()
  .check(
    z.maxLength(2000, 'must have at most 2000 characters'),
    z.refine((value) => isWebUrl(value), 'must be an absolute http or https URL'),
  )
  .register(z.globalRegistry, { format: 'uri', description: 'An absolute http or https URL' });
const mediaType = z.string().check(z.regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as audio/mpeg'));
const language = z
  .string()
  .check(z.refine((value) => isLanguage(value), 'must be a BCP 47 language tag such as en or pt-BR'))
  .register(z.globalRegistry, { description: 'A BCP 47 language tag' });
const email = z
  .string()
  .check(
    z.maxLength(254, 'must have at most 254 characters'),
    z.regex(
      /^[^\s@<>",;:\\()[\]\p{Cc}]+@[^\s@<>",;:\\()[\]\p{Cc}]+\.[^\s@<>",;:\\()[\].\p{Cc}]+$/u,
      'must be an e-mail address',
    ),
  );
const whole = (least: number, what: string) =>
  z.int(`must be a whole number of ${what}`).check(z.gte(least, `must be at least ${least}`));
const time = z
  .pipe(
    z.string().check(
      z.refine(
        (value) => isInstant(value),
        'must be an ISO 8601 instant with a time zone, such as 2026-05-06T08:00:00Z',
      ),
      z.refine((value) => !isUnset(value), 'is the zero of a date that nobody set; send the real one, or leave it out'),
    ),
    z.transform((value: string) => instant(milliseconds(value))),
  )
  .register(z.globalRegistry, { format: 'date-time', description: 'ISO 8601, with a time zone' });

const person = z.strictObject({ name: line(200), url: z.exactOptional(webUrl), email: z.exactOptional(email) });
const image = z.strictObject({
  url: webUrl,
  alt: z.string().check(z.maxLength(1000, 'must have at most 1000 characters')),
  width: z.exactOptional(whole(1, 'pixels')),
  height: z.exactOptional(whole(1, 'pixels')),
  type: z.exactOptional(mediaType),
  length: z.exactOptional(whole(1, 'bytes')),
});
const attachment = z.strictObject({
  url: webUrl,
  type: mediaType,
  length: whole(1, 'bytes'),
  title: z.exactOptional(line(300)),
  durationSeconds: z.exactOptional(whole(0, 'seconds')),
});
const aliasPath = z.pipe(
  z
    .string()
    .check(
      z.maxLength(1000, 'must have at most 1000 characters'),
      z.regex(/^\/[^\s?#]+$/, 'must be a path that starts with "/", without query or fragment'),
    ),
  // As requests for it will be read, however it was written.
  z.transform((value: string) => plainPath(new URL(`http://host${value}`).pathname)),
);

const article = z
  .strictObject({
    id: line(500),
    slug: z.exactOptional(slug),
    url: z.exactOptional(webUrl),
    title: line(500),
    summary: z.exactOptional(text(5000)),
    bodyMarkdown: z.exactOptional(z.string()),
    bodyHtml: z.exactOptional(z.string()),
    bodyText: z.exactOptional(z.string()),
    authors: z.array(person).check(z.maxLength(50, 'must have at most 50 entries')),
    topics: z.array(slug).check(z.maxLength(20, 'must have at most 20 entries')),
    language: z.exactOptional(language),
    publishedAt: time,
    updatedAt: z.exactOptional(time),
    image: z.exactOptional(image),
    attachments: z.exactOptional(z.array(attachment).check(z.maxLength(50, 'must have at most 50 entries'))),
    source: z.exactOptional(z.strictObject({ name: line(300), url: z.exactOptional(webUrl) })),
    aliases: z.exactOptional(z.array(aliasPath).check(z.maxLength(50, 'must have at most 50 entries'))),
    correction: z.exactOptional(z.strictObject({ note: text(2000) })),
    reissue: z.exactOptional(z.boolean()),
    confirm: z.exactOptional(whole(0, 'people')),
  })
  .check(
    z.refine((data) => BODIES.filter((name) => data[name] !== undefined).length === 1, {
      error: `must have exactly one of ${BODIES.join(', ')}`,
      // Also when other fields are faulty, so that all is named at once.
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  )
  .check(
    z.refine((data) => data.reissue !== true || data.correction !== undefined, {
      error: 'must have a note, which tells readers what was corrected, when reissue is true',
      path: ['correction'],
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  );

const schedule = z.strictObject({ cron: z.string(), timezone: z.string() }).check((payload) => {
  const { cron, timezone } = payload.value;
  // In UTC as well, so that a wrong zone does not hide a wrong pattern.
  const faults = [timezone, 'UTC'].flatMap((zone) => scheduleFaults({ cron, timezone: zone }, SCHEDULES_FROM));
  for (const [field, { message }] of new Map(faults.map((fault) => [fault.field, fault]))) {
    payload.issues.push({ code: 'custom', path: [field], message, input: payload.value[field] });
  }
});
const digest = z.strictObject({
  id: slug,
  title: text(200),
  description: z.exactOptional(text(1000)),
  topics: z._default(z.array(slug).check(z.maxLength(50, 'must have at most 50 entries')), []),
  schedule,
  mode: z._default(z.enum(['send', 'approve']), 'send'),
  content: z._default(z.enum(['summary', 'full']), 'summary'),
  order: z._default(z.enum(['newest', 'oldest']), 'newest'),
  limits: z._default(z.strictObject({ articles: whole(1, 'articles').check(z.lte(100, 'must be at most 100')) }), {
    articles: 20,
  }),
  since: z.exactOptional(time),
});
const topic = z.strictObject({ slug, title: line(200), description: z.exactOptional(text(1000)) });
const links = z.strictObject({ imprint: z.exactOptional(webUrl), privacy: z.exactOptional(webUrl) });

const publication = z.strictObject({
  id: z.exactOptional(z.uuid('must be a UUID')),
  title: line(200),
  description: text(1000),
  language,
  author: z.exactOptional(person),
  sender: z.strictObject({ name: line(200), email }),
  replyTo: z.exactOptional(email),
  editor: z.exactOptional(email),
  postalAddress: z.exactOptional(text(500)),
  links: z._default(links, {}),
  topics: z._default(z.array(topic).check(z.maxLength(200, 'must have at most 200 entries')), []),
  hubs: z._default(z.array(webUrl).check(z.maxLength(5, 'must have at most 5 entries')), []),
  digests: z._default(z.array(digest).check(z.maxLength(20, 'must have at most 20 entries')), []),
});

const issueRef = { digest: slug, number: whole(1, 'an issue') };
const message = <const T extends string, D extends z.core.$ZodType>(type: T, data: D) =>
  z.strictObject({ type: z.literal(type), timestamp: time, data });

/** The schema of every call; `/api/v1/openapi.json` is made of it too. */
export const webhookBody = z.discriminatedUnion('type', [
  message('article.published', article),
  message('article.updated', article),
  message('article.withdrawn', z.strictObject({ id: line(500), note: z.exactOptional(text(2000)) })),
  message('publication.updated', publication),
  message(
    'digest.run',
    z.strictObject({
      digest: slug,
      subject: z.exactOptional(line(200)),
      intro: z.exactOptional(text(5000)),
      testTo: z.exactOptional(email),
    }),
  ),
  message('issue.approve', z.strictObject(issueRef)),
  message('issue.pause', z.strictObject({ ...issueRef, reason: z.exactOptional(line(300)) })),
  message('issue.resume', z.strictObject(issueRef)),
  message('issue.cancel', z.strictObject(issueRef)),
  message(
    'issue.reissue',
    z.strictObject({
      digest: slug,
      number: z.exactOptional(issueRef.number),
      reason: text(2000),
      confirm: z.exactOptional(whole(0, 'people')),
    }),
  ),
]);

/** A webhook call's body after validation: times in UTC, texts trimmed, defaults filled in. */
export type WebhookBody = z.infer<typeof webhookBody>;
/** An article as the caller sent it. */
export type ArticleData = z.infer<typeof article>;
/** A publication's settings as the caller sent them. */
export type PublicationData = z.infer<typeof publication>;
export type ReissueData = Extract<WebhookBody, { type: 'issue.reissue' }>['data'];
export type DigestRunData = Extract<WebhookBody, { type: 'digest.run' }>['data'];

/**
 * Reads a parsed JSON body. Every faulty field is named at once, by JSON pointer (RFC 6901). `null` is how most systems say
 * that a field is not there.
 */
export function parseWebhookBody(json: unknown): { body: WebhookBody } | { faults: Fault[] } {
  const result = webhookBody.safeParse(withoutNulls(json));
  return result.success ? { body: result.data } : { faults: faultsOf(result.error) };
}

/** Fields of objects whose value is null are left out; a null in a list stays, and is a fault. */
function withoutNulls(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (typeof json !== 'object' || json === null) return json;
  const given = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, withoutNulls(value)]));
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);
}

function isLanguage(value: string): boolean {
  try {
    return value !== '' && Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

function isInstant(value: string): boolean {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
  return form.test(value) && !Number.isNaN(milliseconds(value)) && sameDay(value);
}

/** `new Date` turns 31 February into 3 March; a wrong date is refused instead. */
function sameDay(value: string): boolean {
  const day = value.slice(0, 10);
  return instant(milliseconds(`${day}T00:00:00Z`)).startsWith(day);
}
