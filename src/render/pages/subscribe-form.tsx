import { html } from 'hono/html';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../domain/consent.ts';
import type { Digest } from '../../domain/digest.ts';
import { howOften } from '../how-often.ts';
import { local } from './address.ts';
import { type Fault, FaultNote, faultId, faulty } from './faults.tsx';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/** Ids of the form's controls. Only one such form stands on a page, and no article's own id begins like this. */
export const SUBSCRIBE_CONTROLS = { email: 'subscribe-email', digest: 'subscribe-digest' };

/** The form, empty or as it came back. `turnstileSiteKey` adds Cloudflare's check against robots, and its script. */
export interface SubscribeFormProps {
  site: Site;
  formToken: string;
  email?: string | undefined;
  /** Ids of digests; what is not chosen by the reader is not chosen. */
  chosen?: string[] | undefined;
  faults?: Fault[] | undefined;
  turnstileSiteKey?: string | undefined;
}

/** The form that asks for a subscription; POST `/subscribe`. */
export function SubscribeForm(props: SubscribeFormProps) {
  const { site, formToken, chosen = [], faults = [], turnstileSiteKey } = props;
  const { digests } = site.publication;
  return (
    <form class="fields" method="post" action={local(site, 'subscribe')}>
      <input type="hidden" name="form" value={formToken} />
      <input type="hidden" name="consent" value={String(CONSENT_VERSION)} />
      <Choice site={site} digests={digests} chosen={chosen} fault={faults.find(({ field }) => field === 'digest')} />
      <Address {...props} fault={faults.find(({ field }) => field === 'email')} />
      <Trap site={site} />
      {turnstileSiteKey !== undefined && <Turnstile site={site} siteKey={turnstileSiteKey} />}
      <Consent site={site} />
    </form>
  );
}

interface ChoiceProps {
  site: Site;
  digests: Digest[];
  chosen: string[];
  fault: Fault | undefined;
}

/** One digest needs no choice. Of several none is ticked beforehand: that would be no consent. */
function Choice({ site, digests, chosen, fault }: ChoiceProps) {
  const control = SUBSCRIBE_CONTROLS.digest;
  const [first, ...others] = digests;
  if (first && others.length === 0) return <input type="hidden" name="digest" value={first.id} />;
  return (
    <fieldset aria-describedby={fault && faultId(control)}>
      <legend>{say(site, 'Which do you want?')}</legend>
      <FaultNote site={site} fault={fault} control={control} />
      {digests.map((digest, index) => (
        <DigestBox
          site={site}
          digest={digest}
          id={index === 0 ? control : `${control}-${index + 1}`}
          checked={chosen.includes(digest.id)}
          faulty={fault !== undefined}
        />
      ))}
    </fieldset>
  );
}

interface DigestBoxProps {
  site: Site;
  digest: Pick<Digest, 'id' | 'title' | 'description'> & { schedule?: Digest['schedule'] | undefined };
  id: string;
  checked: boolean;
  faulty?: boolean;
}

/** A digest to tick: its title names the box, and what it is and how often it comes describes it. */
export function DigestBox({ site, digest, id, checked, faulty = false }: DigestBoxProps) {
  const about = `${id}-about`;
  return (
    <div class="tick">
      <input
        type="checkbox"
        id={id}
        name="digest"
        value={digest.id}
        checked={checked}
        aria-describedby={about}
        aria-invalid={faulty ? 'true' : undefined}
      />
      <div>
        <label for={id}>{digest.title}</label>
        <div class="small" id={about}>
          <DigestAbout site={site} digest={digest} />
        </div>
      </div>
    </div>
  );
}

/** What a digest carries, and how often it comes when that can be said. */
export function DigestAbout({ site, digest }: Pick<DigestBoxProps, 'site' | 'digest'>) {
  const rhythm = digest.schedule ? howOften(digest.schedule) : '';
  return (
    <>
      {digest.description && <p>{digest.description}</p>}
      {rhythm !== '' && <p class="soft">{say(site, `${rhythm}.`)}</p>}
    </>
  );
}

function Address({ site, email, fault }: SubscribeFormProps & { fault: Fault | undefined }) {
  const id = SUBSCRIBE_CONTROLS.email;
  return (
    <div class="field">
      <label for={id}>{say(site, 'Email address')}</label>
      <FaultNote site={site} fault={fault} control={id} />
      <div class="line">
        <input
          type="email"
          id={id}
          name="email"
          value={email}
          autocomplete="email"
          dir="ltr"
          maxlength={254}
          required
          {...faulty(fault, id)}
        />
        <button type="submit">{say(site, 'Subscribe')}</button>
      </div>
    </div>
  );
}

/** A field that no person sees or reaches; what is written into it was written by a robot. */
function Trap({ site }: { site: Site }) {
  return (
    <div class="trap" aria-hidden="true">
      <label for="subscribe-website">{say(site, 'Leave this field empty')}</label>
      <input type="text" id="subscribe-website" name="website" tabindex={-1} autocomplete="off" />
    </div>
  );
}

/** A template literal, because hono/jsx moves scripts to the head of a document that it does not render. */
function Turnstile({ site, siteKey }: { site: Site; siteKey: string }) {
  return (
    <>
      {html`<div class="cf-turnstile" data-sitekey="${siteKey}"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>`}
      <noscript>
        <p>{say(site, 'A check keeps robots out here, and it needs JavaScript. The feeds need none.')}</p>
      </noscript>
    </>
  );
}

function Consent({ site }: { site: Site }) {
  const { privacy } = site.publication.links;
  return (
    <div class="small soft">
      <p>{say(site, CONSENT_TEXTS[CONSENT_VERSION] ?? '')}</p>
      {privacy && (
        <p>
          <a class="more" href={privacy}>
            {say(site, 'How we treat your data')}
          </a>
        </p>
      )}
    </div>
  );
}
