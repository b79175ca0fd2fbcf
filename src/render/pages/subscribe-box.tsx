import { say } from './say.tsx';
import { DigestAbout, SubscribeForm } from './subscribe-form.tsx';
import type { Site } from './views.ts';

/**
 * The way to the digests from a page that is about something else: what will arrive, how often, and the form. Nothing
 * when there is no digest, or when the page has no token for the form.
 */
export function SubscribeBox({ site }: { site: Site }) {
  const [first, ...others] = site.publication.digests;
  if (!site.subscribe || !first) return null;
  return (
    <section class="subscribe" aria-labelledby="subscribe-title">
      <p class="kicker small">{say(site, 'By email')}</p>
      {others.length > 0 ? (
        <h2 id="subscribe-title">{say(site, 'Get the next issue by email')}</h2>
      ) : (
        <>
          <h2 id="subscribe-title">{first.title}</h2>
          <div class="about">
            <DigestAbout site={site} digest={first} />
          </div>
        </>
      )}
      <SubscribeForm site={site} formToken={site.subscribe.formToken} />
    </section>
  );
}
