/** Cloudflare's answer to whether a form was sent by a person. */
const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const TIMEOUT_MILLISECONDS = 5000;

/**
 * Verifies a Turnstile response on the server. Without a secret nothing is asked and everybody passes; with one it
 * fails closed: no answer is a no.
 */
export function turnstile(
  secret: string | undefined,
  send: typeof fetch = fetch,
): (response: string) => Promise<boolean> {
  return async (response) => {
    if (secret === undefined) return true;
    if (response === '') return false;
    try {
      const body = new URLSearchParams({ secret, response });
      const answer = await send(SITEVERIFY, {
        method: 'POST',
        body,
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      });
      return answer.ok && (await answer.json<{ success?: unknown }>()).success === true;
    } catch {
      return false;
    }
  };
}
