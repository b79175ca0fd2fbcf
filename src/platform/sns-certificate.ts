import { decodeBase64 } from '../domain/base64url.ts';
import { Refusal } from '../domain/errors.ts';

/** Amazon SNS gives up a call after 15 seconds. */
const TIMEOUT_MILLISECONDS = 5000;
/** A certificate has some 2,000; what is longer is none. */
const MOST_CHARACTERS = 16_384;
/** Certificates change about once a year. */
const MOST_KEYS = 8;

/** The hash of each SignatureVersion. */
export const SNS_HASHES = { '1': 'SHA-1', '2': 'SHA-256' } as const;
export type SnsHash = (typeof SNS_HASHES)[keyof typeof SNS_HASHES];

/**
 * The host that signs and sends what is published to a topic; undefined when the ARN is none. The region is spelled out
 * and not any label: `sns.s3-us-west-2.amazonaws.com` would be a bucket of anybody's.
 */
export function snsHost(topicArn: string): string | undefined {
  const arn = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+){1,2}-\d{1,2}):\d{12}:[\w.-]{1,256}$/;
  const [, partition, region] = arn.exec(topicArn) ?? [];
  if (region === undefined) return undefined;
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

/** Whether a URL leads, by https and nothing unusual, to one host. */
export function isOn(host: string, text: string): boolean {
  return URL.canParse(text) && new URL(text).href.startsWith(`https://${host}/`);
}

/** A fetch that follows nothing. `redirect: 'error'` is not known to workerd. */
export function getOnly(send: typeof fetch, url: string): Promise<Response> {
  return send(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
}

/**
 * The public keys of Amazon SNS by the address of their certificate, kept as long as the isolate lives. That a certificate
 * is Amazon's is known by where it lies, as in Amazon's own libraries: only SNS itself answers on that host, by https.
 * @throws Refusal when the address is not SNS's, or has no certificate
 * @throws Error when SNS does not answer
 */
export function snsKeys(host: string, send: typeof fetch): (url: string, hash: SnsHash) => Promise<CryptoKey> {
  // Finished keys only: a promise belongs to the request that began it.
  const known = new Map<string, CryptoKey>();
  return async (url, hash) => {
    const name = `${hash} ${url}`;
    const kept = known.get(name);
    if (kept) return kept;
    const key = await importKey(await certificate(host, url, send), hash);
    const [oldest] = known.keys();
    if (known.size >= MOST_KEYS && oldest !== undefined) known.delete(oldest);
    known.set(name, key);
    return key;
  };
}

async function certificate(host: string, url: string, send: typeof fetch): Promise<string> {
  // One plain path segment: a query would make it a call of the SNS API, whose answers hold what callers put in.
  const path = isOn(host, url) ? new URL(url).href.slice(`https://${host}/`.length) : '';
  if (!/^[\w.-]+\.pem$/.test(path)) {
    throw unproven(`SigningCertURL must be https://${host}/ and one path segment that ends in .pem`);
  }
  const response = await getOnly(send, url);
  if (response.status >= 500 || response.status === 429) {
    throw new Error(`Amazon SNS answered ${response.status} when asked for its certificate`);
  }
  const text = response.status === 200 ? await response.text() : '';
  if (text === '' || text.length > MOST_CHARACTERS) throw unproven('there is no certificate at SigningCertURL');
  return text;
}

async function importKey(pem: string, hash: SnsHash): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('spki', publicKeyOf(pem), { name: 'RSASSA-PKCS1-v1_5', hash }, false, [
      'verify',
    ]);
  } catch {
    throw unproven('there is no certificate with an RSA key at SigningCertURL');
  }
}

function unproven(reason: string): Refusal {
  return new Refusal('unproven', `The call is not proven: ${reason}.`);
}

/**
 * The SubjectPublicKeyInfo of a certificate, which is all that WebCrypto imports. RFC 5280 section 4.1: the first element
 * is TBSCertificate, and in that the key follows version (optional), serial number, signature, issuer, validity, subject.
 * @throws RangeError when it is no certificate
 */
export function publicKeyOf(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)?.[1];
  const der = decodeBase64((base64 ?? '').replace(/\s/g, '')) ?? new Uint8Array();
  const tbs = element(der, element(der, 0, SEQUENCE).content, SEQUENCE);
  const version = element(der, tbs.content);
  let at = version.tag === VERSION ? version.end : tbs.content;
  for (let skipped = 0; skipped < 5; skipped += 1) at = element(der, at).end;
  return der.slice(at, element(der, at, SEQUENCE).end);
}

const SEQUENCE = 0x30;
const VERSION = 0xa0;

/** One element of DER (X.690 section 8.1): where its content begins and where it ends. @param expected its tag */
function element(der: Uint8Array, at: number, expected?: number): { tag: number; content: number; end: number } {
  const tag = der[at] ?? 0;
  const first = der[at + 1] ?? 0xff;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const content = at + 2 + lengthBytes;
  const length = der.slice(at + 2, content).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = content + (first < 0x80 ? first : length);
  if (lengthBytes > 3 || end > der.length || (expected !== undefined && tag !== expected)) {
    throw new RangeError('not a certificate in DER');
  }
  return { tag, content, end };
}
