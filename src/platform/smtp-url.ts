/** Where a mail server is and how it is spoken to. */
export interface SmtpServer {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte, TLS after STARTTLS or nothing, or plain text. */
  security: 'implicit' | 'starttls' | 'none';
  login?: { user: string; pass: string };
}

const FORM =
  'must be smtps://user:password@host:port (TLS from the start) or smtp://user:password@host:port (STARTTLS), both percent-encoded';

/** Submission: implicit TLS (RFC 8314 section 3.3) and STARTTLS (RFC 6409 section 3.1). */
const DEFAULT_PORTS = { smtps: 465, smtp: 587 };

/**
 * Reads `SMTP_URL`.
 * @param fault told of every fault, never with the password in it
 * @returns undefined only after a fault
 */
export function parseSmtpUrl(value: unknown, fault: (allowed: string) => void): SmtpServer | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const scheme = url && schemeOf(url);
  if (!url || !scheme || url.hostname === '') {
    fault(FORM);
    return undefined;
  }
  const faults: string[] = [];
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const port = url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port);
  if (!isHost(url.hostname)) faults.push('must name a host by a domain name or an IP address');
  if (port === 0) faults.push('must name a port from 1 to 65535');
  if (port === 25 && !isLoopback(host)) {
    faults.push('must not name port 25, which Cloudflare blocks: use the port for submission, 465 or 587');
  }
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') {
    faults.push('must have no path and no fragment: in a password / is written %2F, ? is %3F and # is %23');
  }
  const security = securityOf(scheme, url.searchParams);
  if (!security) faults.push('may have one parameter, tls=off, and only with smtp://');
  const login = loginOf(url);
  if (login === null) faults.push('must have both a user and a password, percent-encoded, or neither');
  for (const each of faults) fault(each);
  if (faults.length > 0 || !security || login === null) return undefined;
  return { host, port, security, ...(login ? { login } : {}) };
}

function schemeOf({ protocol }: URL): 'smtps' | 'smtp' | undefined {
  if (protocol === 'smtps:') return 'smtps';
  return protocol === 'smtp:' ? 'smtp' : undefined;
}

function securityOf(scheme: 'smtps' | 'smtp', parameters: URLSearchParams): SmtpServer['security'] | undefined {
  const given = [...parameters];
  if (given.length === 0) return scheme === 'smtps' ? 'implicit' : 'starttls';
  const [name, value] = given[0] ?? [];
  return given.length === 1 && name === 'tls' && value === 'off' && scheme === 'smtp' ? 'none' : undefined;
}

/** @returns undefined without a login, null for half a login or one that cannot be decoded */
function loginOf({ username, password }: URL): SmtpServer['login'] | null {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return null;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

function isHost(hostname: string): boolean {
  return /^\[[0-9a-f:.]+\]$/i.test(hostname) || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(hostname);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
