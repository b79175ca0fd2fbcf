import { Hono } from 'hono';
import * as z from 'zod/mini';
import { acceptRequest, requestFaults, type SubscriptionRequest } from '../app/subscriptions.ts';
import { type Fault, Refusal } from '../domain/errors.ts';
import type { Publication } from '../domain/publication.ts';
import { milliseconds } from '../domain/time.ts';
import { parse } from '../domain/validation.ts';
import { type SubscribeView, subscribePage } from '../render/pages/subscribe.tsx';
import type { AppContext, AppEnv } from './context.ts';
import { formPage, formToken } from './html.ts';
import { notFound } from './pages.ts';
import { problem } from './problem.ts';
import { siteOf } from './site.ts';
import { clientOf, formLimit, formOf, mannerOf, texts } from './subscriptions.ts';
import { withPublication } from './with-publication.ts';

/** Nobody reads the form and types an address in less. */
const LEAST_SECONDS = 2;
const jsonBody = z.strictObject({
  email: z.string(),
  digests: z.array(z.string()).check(z.maxLength(20, 'must have at most 20 entries')),
  consent: z.exactOptional(z.int()),
  turnstile: z.exactOptional(z.string()),
});

/** The way in for readers: a form, and the same as JSON. */
export function subscribe(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get(
    '/subscribe',
    withDigests((c, publication) => showForm(c, publication, {})),
  );
  app.post('/subscribe', formLimit, withDigests(receive));
  return app;
}

/** What cannot be subscribed to has no form. */
function withDigests(handle: (c: AppContext, publication: Publication) => Promise<Response>) {
  return withPublication(async (c, publication) =>
    publication.digests.length > 0 ? handle(c, publication) : notFound(c),
  );
}

async function receive(c: AppContext, publication: Publication): Promise<Response> {
  const json = /^application\/json\b/i.test(c.req.header('content-type') ?? '');
  if (!(await c.get('deps').allowsClient(clientOf(c)))) {
    return json
      ? problem(c, 429, 'Too many requests come from your address; wait a minute.')
      : show(c, publication, { state: 'limited' }, 429);
  }
  return json ? receiveJson(c, publication) : receiveForm(c, publication);
}

async function receiveJson(c: AppContext, publication: Publication): Promise<Response> {
  const deps = c.get('deps');
  const input: unknown = await c.req.json().catch(() => undefined);
  const { email, digests, consent, turnstile = '' } = parse(jsonBody, input, 'Nobody was subscribed.');
  const request = {
    email,
    digests,
    how: { ...mannerOf(c, 'api'), ...(consent === undefined ? {} : { textVersion: consent }) },
  };
  const faults = requestFaults(publication, request);
  if (faults.length > 0) throw new Refusal('invalid', 'Nobody was subscribed.', faults);
  if (!(await deps.isHuman(turnstile)))
    throw new Refusal('invalid', 'Nobody was subscribed.', [
      { pointer: '/turnstile', message: 'must be a fresh Turnstile response' },
    ]);
  await acceptRequest(deps, request);
  return c.json({ outcome: 'accepted' }, 202, { 'Cache-Control': 'no-store' });
}

async function receiveForm(c: AppContext, publication: Publication): Promise<Response> {
  const deps = c.get('deps');
  const form = await formOf(c);
  const [email = ''] = texts(form, 'email');
  const [consent = ''] = texts(form, 'consent');
  const request: SubscriptionRequest = {
    email,
    digests: texts(form, 'digest'),
    how: { ...mannerOf(c, 'form'), ...(/^\d{1,4}$/.test(consent) ? { textVersion: Number(consent) } : {}) },
  };
  // The field that people do not see: who fills it in is told that all is well, and nothing happens.
  if (texts(form, 'website').some((value) => value !== '')) return show(c, publication, { state: 'sent' });
  const faults = requestFaults(publication, request);
  if (faults.length > 0) return showForm(c, publication, { request, faults });
  const [response = ''] = texts(form, 'cf-turnstile-response');
  const [token = ''] = texts(form, 'form');
  const shownAt = await timeShown(c, token);
  const unhurried = milliseconds(deps.now()) - shownAt >= LEAST_SECONDS * 1000;
  if (!unhurried || !(await deps.isHuman(response))) {
    const faults = [{ pointer: '/form', message: 'must be sent by a person' }];
    // With the token it came with, so that pressing again counts from when the form was first seen.
    return showForm(c, publication, { request, faults, ...(Number.isNaN(shownAt) ? {} : { token }) });
  }
  await acceptRequest(deps, request);
  return show(c, publication, { state: 'sent' });
}

/** When the form was shown, in milliseconds since 1970, by its token; NaN when that is not ours. */
async function timeShown(c: AppContext, text: string): Promise<number> {
  const token = await c.get('deps').tokens.verify(text);
  return token?.purpose === 'form' ? milliseconds(token.subject) : Number.NaN;
}

async function showForm(
  c: AppContext,
  publication: Publication,
  { request, faults = [], token }: { request?: SubscriptionRequest; faults?: Fault[]; token?: string },
): Promise<Response> {
  const { turnstileSiteKey } = c.get('deps').config;
  const view: SubscribeView = {
    state: 'form',
    ...(request ? { email: request.email, chosen: request.digests } : {}),
    ...(faults.length > 0 ? { faults: faults.map(toFieldFault) } : {}),
    ...(turnstileSiteKey === undefined ? {} : { turnstileSiteKey }),
  };
  return show(c, publication, view, faults.length > 0 ? 422 : 200, token);
}

/** What the form says of a fault, in a sentence. */
function toFieldFault({ pointer }: Fault): { field: 'email' | 'digest' | 'form'; message: string } {
  if (pointer === '/email')
    return { field: 'email', message: 'Please enter an address that mail can be sent to, such as you@example.org.' };
  if (pointer === '/digests') return { field: 'digest', message: 'Please choose at least one digest.' };
  return { field: 'form', message: 'Please press the button once more, so that we know you are not a robot.' };
}

async function show(
  c: AppContext,
  publication: Publication,
  view: SubscribeView,
  status: 200 | 422 | 429 = 200,
  token?: string,
): Promise<Response> {
  const site = siteOf(publication, token ?? (await formToken(c.get('deps'))));
  return formPage(c, subscribePage(site, view), status);
}
