import { ConfigError } from '../env.ts';

/** What `build` makes; or, when the configuration cannot be used, a 503 whose reason is in the operator's log. */
export function unconfigured<T>(build: () => T): T | Response {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    const detail = 'The service is not configured. Its log says what is missing.';
    return Response.json(
      { type: 'about:blank', title: 'Unavailable', status: 503, detail },
      {
        status: 503,
        headers: { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' },
      },
    );
  }
}
