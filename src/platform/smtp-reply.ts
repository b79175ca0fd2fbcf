import type { SendResult } from '../domain/transport.ts';

/** How a mail, or the connection for it, came to nothing. */
export interface SmtpFailure {
  /** What was under way. `message` is everything from DATA on; `local`: nothing was asked of the server. */
  at: 'connection' | 'tls' | 'login' | 'sender' | 'recipient' | 'message' | 'local';
  /** The server's reply, lines joined by LF. Without one, the connection was lost or never came about. */
  reply?: string;
  /** What happened, where there was no reply. */
  words: string;
  /** Whether the message's bytes were begun, and whether its final dot was handed to the socket. */
  progress: 'none' | 'begun' | 'ended';
  timedOut: boolean;
}

/**
 * What became of a mail that was not accepted. Without a reply it is `unknown` from the final dot on: the server may
 * have taken it (RFC 1047). Before, it cannot have.
 */
export function resultOf(failure: SmtpFailure): SendResult {
  const reply = parseReply(failure.reply);
  if (!reply) {
    const error = oneLine(failure.words);
    if (failure.at === 'local') return { status: 'failed', error };
    if (failure.progress === 'ended') return { status: 'unknown', error: oneLine(`no reply to the mail: ${error}`) };
    return { status: 'deferred', error: oneLine(`the mail was not handed over: ${failure.words}`) };
  }
  const error = errorOf(reply);
  if (isLimit(reply)) return { status: 'limited', error, ...retryAfter(reply.text) };
  if (reply.code < 500) return { status: 'deferred', error, ...retryAfter(reply.text) };
  return { status: 'failed', error, ...(blamesAddress(failure.at, reply) ? { bounce: true as const } : {}) };
}

/** What becomes of every mail while no connection can be had: nothing is wrong with any of them. */
export function unreachable(server: { host: string; port: number }, failure: SmtpFailure): SendResult {
  const reply = parseReply(failure.reply);
  const said = reply ? errorOf(reply) : failure.words;
  const error = oneLine(`${adviceOn(failure.at, `${server.host}:${server.port}`, reply)}: ${said}`);
  return { status: 'limited', error, ...retryAfter(reply?.text ?? '') };
}

function adviceOn(at: SmtpFailure['at'], server: string, reply: Reply | undefined): string {
  if (at === 'login') return `SMTP_URL: ${server} did not take the user and password`;
  if (at !== 'tls') return `no session with ${server}`;
  if (!reply) return `SMTP_URL: no TLS with ${server}, whose certificate must be valid for that name`;
  return `SMTP_URL: ${server} refused STARTTLS; use smtps:// if it speaks TLS from the start, and tls=off only where plain text is safe`;
}

/**
 * The carrier's own id of a mail it took, where the reply names one in a way that is known: `Ok <id>` (Amazon SES),
 * `queued as <id>` (Postfix and many others), `id=<id>` (Exim).
 */
export function providerIdOf(accepted: string): string | undefined {
  const reply = accepted.replaceAll('\n', ' ').trim();
  return (
    /\bqueued as <?([^\s<>]{1,200}?)>?[.,;]?(?:\s|$)/i.exec(reply)?.[1] ??
    /\bOK id=([\w.-]{1,200})/i.exec(reply)?.[1] ??
    /^250 (?:2\.\d\.\d )?Ok:? <?((?=\S*\d)[\w.@+-]{12,200})>?$/i.exec(reply)?.[1]
  );
}

interface Reply {
  code: number;
  /** RFC 3463, such as `5.1.1`; absent, too, when it is `x.0.0`, which says nothing. */
  enhanced?: string;
  text: string;
}

/** @returns undefined for none, and for one that neither refuses nor defers */
function parseReply(reply: string | undefined): Reply | undefined {
  const code = Number(/^[45]\d\d(?=[ -]|$)/.exec(reply ?? '')?.[0]);
  if (!reply || !code) return undefined;
  const lines = reply.split('\n').map((line) => line.replace(/^\d{3}[ -]?/, ''));
  const enhanced = lines.map((line) => ENHANCED.exec(line)?.[1]).find((each) => each !== undefined);
  const text = lines.map((line) => line.replace(ENHANCED, '')).join(' ');
  return { code, ...(enhanced && !enhanced.endsWith('.0.0') ? { enhanced } : {}), text };
}

const ENHANCED = /^([45]\.\d{1,3}\.\d{1,3})(?:\s+|$)/;

function errorOf({ code, enhanced, text }: Reply): string {
  return oneLine(`${code} ${enhanced ?? ''} ${text}`);
}

/** RFC 3463 section 3.3 and its registry: the server itself is full, takes no mail, or has had enough of it for a day. */
const LIMIT_CODES = new Set(['4.3.1', '4.3.2', '5.4.5']);
/** Of the sender. A recipient's mailbox that is full, or that gets too much, is another matter. */
const LIMIT_WORDS =
  /throttl|rate[ -]?limit|(?:sending|send|message|messaging|submission) (?:rate|limit|quota)|(?:daily|hourly|per (?:second|minute|hour|day)).{0,30}(?:limit|quota)|too (?:many|much) (?:mails?|messages|e-?mails|connections|requests)|slow(?:ing)? down/i;
/** Login or encryption wanted first (RFC 4954 section 6): a matter of SMTP_URL, not of the mail. */
const CONFIGURATION_CODES = new Set([530, 534, 535, 538]);

function isLimit({ code, enhanced, text }: Reply): boolean {
  if (code === 421 || CONFIGURATION_CODES.has(code)) return true;
  if (enhanced !== undefined && LIMIT_CODES.has(enhanced)) return true;
  if (ABOUT_RECIPIENT.test(text)) return false;
  if (code < 500) return LIMIT_WORDS.test(text);
  return /\b(?:sending|submission|daily|hourly)\b.{0,30}\b(?:rate|limit|quota)\b/i.test(text);
}

const ABOUT_RECIPIENT =
  /you are trying to (?:contact|reach)|\b(?:mailbox|recipient|user)(?:'s)? .{0,40}(?:full|quota|rate)/i;

/**
 * RFC 3463 section 3.2 and RFC 7505: no such mailbox or system, bad syntax, moved without a trace, a domain that takes
 * no mail; section 3.3: the mailbox is disabled. Left out: 5.1.0 and 5.1.4, which do not say that the address is
 * wrong, 5.1.7 and 5.1.8, which are about the sender, 5.2.2, a full mailbox, and 5.4.x and 5.7.x, which are about the way.
 */
const ADDRESS_CODES = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** RFC 5321 section 4.2.3 gives 550 to "no such mailbox" and to "policy" alike. */
const POLICY_WORDS =
  /polic|spam|block|list(?:ed|ing)?\b|reputation|relay|denied|not (?:allowed|permitted|authori[sz]ed)|authenticat|verif|sender|dmarc|dkim|\bspf\b|content|virus|limit|\brate\b|full|quota|temporar/i;

function blamesAddress(at: SmtpFailure['at'], { code, enhanced, text }: Reply): boolean {
  if (at !== 'recipient' && at !== 'message') return false;
  if (enhanced !== undefined) {
    // Gmail says 5.2.1 of a mailbox that gets too much, too.
    return ADDRESS_CODES.has(enhanced) && !(enhanced === '5.2.1' && /\brate\b/i.test(text));
  }
  return at === 'recipient' && [550, 551, 553].includes(code) && !POLICY_WORDS.test(text);
}

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
/** Longer waits are left to the sender. */
const RETRY_AFTER_MAX_SECONDS = 86_400;

/** Only where the text has a single time, next to a word that says what it is for. */
function retryAfter(text: string): { retryAfterSeconds?: number } {
  const times = [...text.matchAll(/\b(\d{1,5}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/gi)];
  const [, amount, unit] = times[0] ?? [];
  if (times.length !== 1 || !/\b(?:again|retry|back|wait|greylisted for)\b/i.test(text)) return {};
  const seconds = Number(amount) * (UNIT_SECONDS[unit?.charAt(0).toLowerCase() ?? ''] ?? 0);
  return seconds > 0 && seconds <= RETRY_AFTER_MAX_SECONDS ? { retryAfterSeconds: seconds } : {};
}

const ERROR_CHARACTERS = 500;

/** One line of at most 500 characters, without e-mail addresses: replies may name others. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/<?[^\s<>()[\]:;,"]+@[^\s<>()[\]:;,"]+>?/g, '<address>')
    .trim()
    .slice(0, ERROR_CHARACTERS);
}
