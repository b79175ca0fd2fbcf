/** A person's address. */
export interface Subscriber {
  id: string;
  /** Normal form: lower-case domain, IDN as A-labels. */
  email: string;
}

/** Subscriber × digest. */
export type SubscriptionStatus = 'pending' | 'active' | 'unsubscribed';

/**
 * The normal form of an address: white space around it gone, the domain in lower case and as A-labels (RFC 5891), the
 * local part as typed. Undefined when it is no address that mail can be sent to: RFC 5321 sections 4.1.2 and 4.5.3.1,
 * dot-atoms only, since quoted local parts are a way to smuggle header characters.
 */
export function normaliseEmail(input: string): string | undefined {
  const text = input.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || !LOCAL_PART.test(local) || local.length > 64) return undefined;
  const domain = hostName(text.slice(at + 1));
  if (domain === undefined || local.length + 1 + domain.length > 254) return undefined;
  return `${local}@${domain}`;
}

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function hostName(domain: string): string | undefined {
  if (/[\s/?#@:%\\[\]]/.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const labels = new URL(`http://${domain}`).hostname.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(last)) return undefined;
  return labels.join('.');
}
