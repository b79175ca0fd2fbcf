/**
 * What people agree to when they subscribe. A text is never changed: a new one gets the next version, so that a consent
 * record always tells which words were shown.
 */
export const CONSENT_TEXTS: Record<number, string> = {
  1: 'I want to get the chosen digests by email, at most as often as stated. I can leave with one click in every mail. My address is used for nothing else.',
};

/** The version that forms show now. */
export const CONSENT_VERSION = 1;

/** What happened to somebody's agreement. */
export type ConsentEvent = 'requested' | 'confirmed' | 'unsubscribed' | 'address_changed' | 'imported' | 'returned';

/** One line of the append-only consent record. */
export interface ConsentRecord {
  event: ConsentEvent;
  /** The digest it is about; absent when it is about the address. */
  digest?: string;
  /** Version of the text that was shown, for `requested`. */
  textVersion?: number;
  /** How: `form`, `api`, `mail`, `one-click`, `preferences`, `import`. */
  way: string;
  /** Truncated network address of the client: /24 of IPv4, /48 of IPv6. */
  network?: string;
  /** Anything that proves it: an import's own words or the exporting service's time. */
  proof?: string;
  at: string;
}

const IPV4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/;

/** A network address with its last part cut off: /24 of IPv4, /48 of IPv6. Undefined when it is none. */
export function truncateNetwork(address: string): string | undefined {
  const four = IPV4.exec(address);
  if (four) return address.split('.').every((part) => Number(part) <= 255) ? `${four[1]}.0/24` : undefined;
  if (!/^[0-9a-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return undefined;
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const first = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])].slice(
    0,
    3,
  );
  return `${first.join(':')}::/48`;
}
