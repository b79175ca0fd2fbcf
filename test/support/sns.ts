import { sesFeedback } from '../../src/platform/feedback-ses.ts';

/** Amazon SNS as far as a test needs it: a key, its certificate, and messages signed with it. */

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail-events';
const HOST = 'https://sns.eu-west-1.amazonaws.com/';
export const CERTIFICATE_URL = `${HOST}SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`;
export const SUBSCRIBE_URL = `${HOST}?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=abc123`;
const HASHES: Record<string, string> = { '1': 'SHA-1', '2': 'SHA-256' };
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export type Message = Record<string, string>;

/** A new RSA key, and what is signed with it. */
export async function snsSigner() {
  const pair = await crypto.subtle.generateKey(
    { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  if (!('privateKey' in pair)) throw new Error('no key pair');
  const { privateKey, publicKey } = pair;
  const exported = async (format: 'spki' | 'pkcs8', key: CryptoKey) => {
    const bytes = await crypto.subtle.exportKey(format, key);
    if (!(bytes instanceof ArrayBuffer)) throw new Error('no bytes');
    return new Uint8Array(bytes);
  };
  const spki = await exported('spki', publicKey);
  const pkcs8 = await exported('pkcs8', privateKey);

  /** A message of the topic with `changes`, signed. */
  async function sign(changes: Message = {}): Promise<Message> {
    const message: Message = {
      Type: 'Notification',
      MessageId: 'da41e39f-ea4d-435a-b922-c6aae3915ebe',
      TopicArn: TOPIC,
      Message: '{}',
      Timestamp: '2026-06-12T11:59:58.123Z',
      SignatureVersion: '2',
      SigningCertURL: CERTIFICATE_URL,
      ...changes,
    };
    const key = await crypto.subtle.importKey(
      'pkcs8',
      pkcs8,
      { ...ALGORITHM, hash: HASHES[message.SignatureVersion ?? ''] ?? 'SHA-256' },
      false,
      ['sign'],
    );
    const signature = await crypto.subtle.sign(ALGORITHM.name, key, new TextEncoder().encode(signedText(message)));
    return { ...message, Signature: base64(new Uint8Array(signature)) };
  }

  return { sign, spki, certificate: certificateOf(spki) };
}

/** By the table of Amazon's documentation, one list for each kind of message. */
function signedText(message: Message): string {
  const names =
    message.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  return names.map((name) => (message[name] === undefined ? '' : `${name}\n${message[name]}\n`)).join('');
}

/**
 * A fetch that knows what is in `pages` (a text, a status, or where it redirects to) and keeps what it was asked for. Like
 * the real one it follows a redirect unless it is told not to.
 */
export function webOf(pages: Record<string, string | number | { to: string }>) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    asked.push(url);
    const page = pages[url] ?? 404;
    if (typeof page === 'string') return new Response(page);
    if (typeof page === 'number') return new Response(null, { status: page });
    return init?.redirect === 'manual' ? Response.redirect(page.to) : fetch(page.to, init);
  };
  return { asked, fetch, pages };
}

/** A reader of events at `now`, and the Amazon that it asks: `certificate`, and other pages. */
export function sesReader(certificate: string, now: string, pages: Parameters<typeof webOf>[0] = {}) {
  const web = webOf({ [CERTIFICATE_URL]: certificate, [SUBSCRIBE_URL]: '<ConfirmSubscriptionResponse/>', ...pages });
  const logged: [string, unknown][] = [];
  const log = (message: string, context: unknown) => void logged.push([message, context]);
  const read = sesFeedback({ topicArn: TOPIC, now: () => now, log, fetch: web.fetch });
  const take = (message: unknown, headers: HeadersInit = {}) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return read(new Headers(headers), new TextEncoder().encode(text));
  };
  return { take, logged, asked: web.asked, pages: web.pages };
}

/** The least certificate around a key (RFC 5280 section 4.1). @param version 3, or 1, which leaves the field out */
export function certificateOf(spki: Uint8Array, version: 1 | 3 = 3): string {
  const sha256WithRsa = der(0x30, [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b, 0x05, 0]);
  const time = der(0x17, new TextEncoder().encode('260101000000Z'));
  const name = der(0x30, []);
  const fields = [der(0x02, [1]), sha256WithRsa, name, der(0x30, [...time, ...time]), name, spki];
  const versioned = version === 3 ? [der(0xa0, der(0x02, [2])), ...fields] : fields;
  const tbs = der(
    0x30,
    versioned.flatMap((field) => [...field]),
  );
  const signature = der(0x03, new Uint8Array(257));
  return pem(der(0x30, [...tbs, ...sha256WithRsa, ...signature]));
}

function pem(bytes: Uint8Array): string {
  const lines = base64(bytes).match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, content: ArrayLike<number>): Uint8Array {
  const { length } = content;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return new Uint8Array([...header, ...Array.from(content)]);
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
