import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Refusal, RefusalCode } from '../domain/errors.ts';
import type { AppContext } from './context.ts';

const STATUS: Record<RefusalCode, ContentfulStatusCode> = {
  unproven: 401,
  not_found: 404,
  gone: 410,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  unavailable: 503,
};

const TITLES: Partial<Record<ContentfulStatusCode, string>> = {
  401: 'Not proven',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Invalid',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Unavailable',
};

/** A problem document (RFC 9457). `errors` names each faulty field by JSON pointer and says what is allowed. */
export function problem(
  c: AppContext,
  status: ContentfulStatusCode,
  detail: string,
  errors?: Refusal['faults'],
): Response {
  const body = { type: 'about:blank', title: TITLES[status], status, detail, ...(errors?.length ? { errors } : {}) };
  return c.body(`${JSON.stringify(body, null, 2)}\n`, status, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(status === 503 ? { 'Retry-After': '5' } : {}),
    ...(status === 429 ? { 'Retry-After': '60' } : {}),
  });
}

/** A refusal as its problem document. */
export function refusalProblem(c: AppContext, { code, message, faults }: Refusal): Response {
  return problem(c, STATUS[code], message, faults);
}
