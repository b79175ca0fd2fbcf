import * as z from 'zod/mini';
import { Refusal } from '../domain/errors.ts';
import type { Feedback, FeedbackReader } from '../domain/feedback.ts';
import { milliseconds } from '../domain/time.ts';
import { parse } from '../domain/validation.ts';
import { deliveryOfKey, deliveryOfMessageId, detailOf, recipientOf, timeOf } from './feedback-event.ts';
import { checkSignature } from './webhook-proof.ts';

const words = z.nullish(z.string());
const event = z.object({
  type: z.string(),
  created_at: words,
  data: z.object({
    email_id: z.string(),
    to: z.union([z.array(z.string()), z.string()]),
    message_id: words,
    // Documented as a list of names and values, and in the SDK as an object: both are read.
    tags: z.optional(z.unknown()),
    bounce: z.nullish(
      z.object({ type: words, subType: words, message: words, diagnosticCode: z.optional(z.unknown()) }),
    ),
    failed: z.nullish(z.object({ reason: words })),
    suppressed: z.nullish(z.object({ type: words, message: words })),
  }),
});
type ResendEvent = z.infer<typeof event>;

/** What each event of Resend means (resend.com/docs/webhooks/event-types); all others are not about arrival. */
const KINDS = new Map<string, (data: ResendEvent['data']) => Feedback['kind']>([
  ['email.delivered', () => 'delivered'],
  ['email.delivery_delayed', () => 'delayed'],
  // What is Transient or Undetermined says nothing about the address for good.
  ['email.bounced', ({ bounce }) => (bounce?.type === 'Permanent' ? 'hard_bounce' : 'soft_bounce')],
  ['email.failed', () => 'soft_bounce'],
  // Not sent, because the address bounced or complained before.
  ['email.suppressed', () => 'hard_bounce'],
  ['email.complained', () => 'complaint'],
]);

/**
 * Events of Resend, which are signed as Svix does: Standard Webhooks with other names of the headers.
 * @param secrets the endpoint's signing secrets, `whsec_…`; several while one is replaced
 * @param now ISO 8601
 */
export function resendFeedback(secrets: string[], now: () => string): FeedbackReader {
  return async (headers, body) => {
    const prefix = headers.has('svix-signature') ? 'svix' : 'webhook';
    const header = (name: string) => headers.get(`${prefix}-${name}`) ?? undefined;
    const call = {
      body: new Uint8Array(body),
      id: header('id'),
      timestamp: header('timestamp'),
      signature: header('signature'),
    };
    const verdict = await checkSignature(call, secrets, milliseconds(now()) / 1000, prefix);
    if ('fault' in verdict) throw new Refusal('unproven', `The call is not proven: ${verdict.fault}.`);
    return eventsOf(verdict.id, jsonOf(body), now());
  };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new Refusal('invalid', 'The body must be JSON: an event of Resend.');
  }
}

function eventsOf(id: string, json: unknown, receivedAt: string): Feedback[] {
  const refusal = 'Nothing was recorded: the body is no event of Resend that is known here.';
  const kindOf = KINDS.get(parse(z.object({ type: z.string() }), json, refusal).type);
  if (!kindOf) return [];
  const { created_at, data } = parse(event, json, refusal);
  const recipients = [data.to].flat();
  const about = {
    kind: kindOf(data),
    at: timeOf(created_at, receivedAt),
    detail: detailOfData(data),
    providerId: data.email_id,
    ...deliveryOfMessageId(data.message_id),
    ...deliveryOfTags(data.tags),
  };
  return recipients.map((to, index) => ({
    id: recipients.length > 1 ? `${id}/${index}` : id,
    email: recipientOf(to),
    ...about,
  }));
}

function detailOfData({ bounce, failed, suppressed }: ResendEvent['data']): string {
  const type = [bounce?.type, bounce?.subType].filter(Boolean).join('/');
  return detailOf(type, bounce?.diagnosticCode, bounce?.message, failed?.reason, suppressed?.type, suppressed?.message);
}

/** Our own mails are tagged with the parts of `deliveryKey`. */
function deliveryOfTags(tags: unknown): Pick<Feedback, 'delivery'> {
  const list = z.safeParse(z.array(z.object({ name: z.string(), value: z.string() })), tags);
  const values = list.success ? Object.fromEntries(list.data.map(({ name, value }) => [name, value])) : tags;
  const own = z.safeParse(
    z.object({ digest: z.string(), issue: z.string(), revision: z.string(), subscriber: z.string() }),
    values,
  );
  if (!own.success) return {};
  const { digest, issue, revision, subscriber } = own.data;
  return deliveryOfKey(`${digest}.${issue}.${revision}.${subscriber}`);
}
