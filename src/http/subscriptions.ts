import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { confirm } from '../app/confirmations.ts';
import { changePreferences, type PreferencesAction, preferencesOf, showPreferences } from '../app/preferences.ts';
import { unsubscribe } from '../app/unsubscribe.ts';
import type { Manner } from '../domain/audience-ports.ts';
import { truncateNetwork } from '../domain/consent.ts';
import type { Publication } from '../domain/publication.ts';
import { confirmPage } from '../render/pages/confirm.tsx';
import { preferencesPage } from '../render/pages/preferences.tsx';
import { unsubscribePage } from '../render/pages/unsubscribe.tsx';
import type { AppContext, AppEnv } from './context.ts';
import { formToken, privatePage } from './html.ts';
import { notFound } from './pages.ts';
import { problem } from './problem.ts';
import { siteOf } from './site.ts';
import { withPublication } from './with-publication.ts';

/** Forms are small; what is longer is refused before it is read on. */
const MOST_BYTES = 64 * 1024;
export const formLimit = bodyLimit({
  maxSize: MOST_BYTES,
  onError: (c) => problem(c as AppContext, 413, `The body must have at most ${MOST_BYTES} bytes.`),
});

/** Links in mails. GET and HEAD change nothing, because mail scanners follow every link. */
export function subscriptions(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.on(['GET', 'POST'], '/confirm/:token', formLimit, withPublication(confirmation));
  app.on(['GET', 'POST'], '/unsubscribe/:token', formLimit, withPublication(leaving));
  app.on(['GET', 'POST'], '/preferences/:token', formLimit, withPublication(preferences));
  return app;
}

const STATUS = {
  unknown: 404,
  expired: 410,
  taken: 409,
  ask: 200,
  done: 200,
  show: 200,
  erased: 200,
  test: 200,
} as const;

async function confirmation(c: AppContext, publication: Publication): Promise<Response> {
  const press = c.req.method === 'POST' ? mannerOf(c, 'mail') : undefined;
  const view = await confirm(c.get('deps'), publication, tokenOf(c), press);
  const site = siteOf(publication, await formToken(c.get('deps')));
  return privatePage(c, confirmPage(site, view), STATUS[view.state]);
}

/**
 * RFC 8058: a POST without cookie, login or redirect, urlencoded, multipart or empty, ends the subscription, however
 * often it comes. The page's own buttons post to the same address.
 */
async function leaving(c: AppContext, publication: Publication): Promise<Response> {
  const form = c.req.method === 'POST' ? await formOf(c) : undefined;
  const press = form && {
    all: form.get('all') === 'yes',
    how: mannerOf(c, form.has('List-Unsubscribe') ? 'one-click' : 'mail'),
  };
  const view = await unsubscribe(c.get('deps'), publication, tokenOf(c), press);
  return privatePage(c, unsubscribePage(siteOf(publication), view), STATUS[view.state]);
}

async function preferences(c: AppContext, publication: Publication): Promise<Response> {
  const deps = c.get('deps');
  const site = siteOf(publication);
  const subscriberId = await preferencesOf(deps, tokenOf(c));
  if (subscriberId === undefined) return privatePage(c, preferencesPage(site, { state: 'unknown' }), 404);
  if (c.req.method !== 'POST') {
    const view = await showPreferences(deps, publication, subscriberId);
    return privatePage(c, preferencesPage(site, view), STATUS[view.state]);
  }
  const form = await formOf(c);
  if (form.get('action') === 'export') return exported(c, subscriberId);
  const action = actionOf(form);
  if (!action) return problem(c, 422, 'The form must say what to do: digests, address, export, return or erase.');
  if (action.action === 'address' && !(await deps.allowsClient(clientOf(c)))) {
    return problem(c, 429, 'Too many mails were asked for from your network; wait a minute.');
  }
  const view = await changePreferences(deps, publication, subscriberId, action, mannerOf(c, 'preferences'));
  const faulty = view.state === 'show' && view.faults !== undefined;
  return privatePage(c, preferencesPage(site, view), faulty ? 422 : STATUS[view.state]);
}

/** Everything that is held about the person, as a file. */
async function exported(c: AppContext, subscriberId: string): Promise<Response> {
  const data = await c.get('deps').people.everything(subscriberId);
  if (!data) return notFound(c);
  return c.body(`${JSON.stringify(data, null, 2)}\n`, 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="my-data.json"',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
}

function actionOf(form: FormData): PreferencesAction | undefined {
  switch (form.get('action')) {
    case 'digests':
      return { action: 'digests', digests: texts(form, 'digest') };
    case 'address':
      return { action: 'address', email: texts(form, 'email')[0] ?? '' };
    case 'return':
      return { action: 'return' };
    case 'erase':
      return { action: 'erase', sure: form.get('sure') === 'yes' };
    default:
      return undefined;
  }
}

/** A form's fields; none when the body is empty or of another kind. */
export async function formOf(c: AppContext): Promise<FormData> {
  return c.req.formData().catch(() => new FormData());
}

/** The text fields of a name. */
export function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}

/** How a person acted, for the consent record: with the client's address cut off. */
export function mannerOf(c: AppContext, way: string): Manner {
  const network = truncateNetwork(clientOf(c));
  return { way, ...(network === undefined ? {} : { network }) };
}

/** The client's network address, as Cloudflare saw it. */
export function clientOf(c: AppContext): string {
  return c.req.header('cf-connecting-ip') ?? '';
}

function tokenOf(c: AppContext): string {
  return c.req.param('token') ?? '';
}
