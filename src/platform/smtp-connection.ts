import { connect as connectTcp, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection';
import type { OutgoingMail } from '../domain/transport.ts';
import type { SmtpFailure } from './smtp-reply.ts';
import type { SmtpServer } from './smtp-url.ts';

export interface SmtpOptions {
  /** All in milliseconds. */
  timeouts: {
    /** Until the socket is open, TLS included where it comes first. */
    connection: number;
    /** Until the server says its greeting, and again until STARTTLS is done. */
    greeting: number;
    /** Without a byte from either side. */
    socket: number;
    /** For the goodbye. */
    quit: number;
  };
  /** For tests: what to trust. workerd takes no option that weakens its checks. */
  tls?: ConnectionOptions;
}

/** An open session with a mail server, logged in. */
export interface SmtpConnection {
  readonly alive: boolean;
  /** Mails that the server answered, one way or the other. */
  readonly answered: number;
  /** @returns the server's reply that it took the mail, or what went wrong; never rejects */
  send(mail: OutgoingMail): Promise<{ accepted: string } | SmtpFailure>;
  /** QUIT, for which the server gets no more than its time. */
  quit(): Promise<void>;
}

/**
 * Opens a session: TCP, TLS, EHLO, AUTH.
 * @param name what we call ourselves: a domain name
 */
export async function openSmtp(
  server: SmtpServer,
  name: string,
  options: SmtpOptions,
): Promise<SmtpConnection | SmtpFailure> {
  const socket = await openSocket(server, options);
  if ('at' in socket) return socket;
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    name,
    connection: socket,
    secure: server.security === 'implicit',
    secured: server.security === 'implicit',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    greetingTimeout: options.timeouts.greeting,
    socketTimeout: options.timeouts.socket,
    // A closed session is of no more use, so no timer may outlive it.
    socketCloseTimeout: 0,
    ...(options.tls ? { tls: options.tls } : {}),
  });
  const failure = (await greet(connection)) ?? (await logIn(connection, server.login));
  if (!failure) return sessionOn(connection, options.timeouts.quit);
  connection.close();
  return failure;
}

/**
 * nodemailer would look the name up and connect to its address. In workerd that costs two requests to a resolver, and
 * TLS from the start would be checked against the address, which no certificate holds.
 */
function openSocket({ host, port, security }: SmtpServer, options: SmtpOptions): Promise<Socket | SmtpFailure> {
  const implicit = security === 'implicit';
  return new Promise((resolve) => {
    const socket = implicit ? connectTls({ host, port, ...options.tls }) : connectTcp({ host, port });
    const settle = (outcome: Socket | SmtpFailure) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const fail = (at: SmtpFailure['at'], words: string, timedOut: boolean) =>
      settle({ at, words, progress: 'none', timedOut });
    const timer = setTimeout(() => {
      fail('connection', 'it did not answer in time', true);
      socket.destroy();
    }, options.timeouts.connection);
    // Stays for good: a socket may complain again while it is torn down, and an error without a listener is thrown.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fail(implicit && !UNREACHABLE.has(error.code ?? '') ? 'tls' : 'connection', error.message, false);
    });
    socket.once('close', () => fail('connection', 'the connection was closed', false));
    socket.once(implicit ? 'secureConnect' : 'connect', () => settle(socket));
  });
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

function greet(connection: SMTPConnection): Promise<SmtpFailure | undefined> {
  return new Promise((resolve) => {
    const fail = (error: SMTPError) =>
      resolve(openingFailure(error, error.code === 'ETLS' || connection.upgrading ? 'tls' : 'connection'));
    // Stays for good: an error without a listener would be thrown.
    connection.on('error', fail);
    connection.connect((error) => (error ? fail(error) : resolve(undefined)));
  });
}

function logIn(connection: SMTPConnection, login: SmtpServer['login']): Promise<SmtpFailure | undefined> {
  if (!login) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    connection.once('error', (error) => resolve(openingFailure(error, 'connection')));
    connection.login(login, (error) => resolve(error ? openingFailure(error, 'login') : undefined));
  });
}

/** With a 4xx the server says that it will do later what it did not do now: SMTP_URL may be right. */
function openingFailure(error: SMTPError, at: 'tls' | 'login' | 'connection'): SmtpFailure {
  const later = error.responseCode !== undefined && error.responseCode < 500;
  return { ...failureOf(error), at: later ? 'connection' : at };
}

function sessionOn(connection: SMTPConnection, quitTimeout: number): SmtpConnection {
  let answered = 0;
  return {
    get alive() {
      return !connection.destroyed;
    },
    get answered() {
      return answered;
    },
    async send(mail) {
      const outcome = await transmit(connection, mail);
      answered += 1;
      if (!('accepted' in outcome) && !connection.destroyed) await reset(connection);
      return outcome;
    },
    quit: () => quit(connection, quitTimeout),
  };
}

function transmit(connection: SMTPConnection, mail: OutgoingMail): Promise<{ accepted: string } | SmtpFailure> {
  let progress: SmtpFailure['progress'] = 'none';
  const advance = (reached: 'begun' | 'ended') => {
    progress = reached;
  };
  return new Promise((resolve) => {
    const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length };
    connection.send(envelope, messageOf(connection, mail.raw, advance), (error, info) => {
      resolve(error ? failureOf(error, progress) : { accepted: info.response });
    });
  });
}

/**
 * A message that nodemailer pipes into its dot-stuffing stream once the server has answered 354: the one moment that
 * tells mails of which nothing was sent. When that stream ends, the final dot was handed to the socket.
 */
function messageOf(connection: SMTPConnection, raw: string, advance: (to: 'begun' | 'ended') => void): Readable {
  return Object.assign(new Readable({ read: () => {} }), {
    pipe<Stuffing extends NodeJS.WritableStream>(stuffing: Stuffing): Stuffing {
      advance('begun');
      corkUntilEnd(connection, stuffing);
      stuffing.once('end', () => advance('ended'));
      stuffing.write(Buffer.from(raw, 'latin1'));
      stuffing.end();
      return stuffing;
    },
  });
}

/** Text and final dot in one write: in workerd each costs a trip through the event loop, a fifth of the CPU of a mail. */
function corkUntilEnd({ _socket: socket }: SMTPConnection, stuffing: NodeJS.WritableStream): void {
  if (!socket) return;
  socket.cork();
  let corked = true;
  const uncork = () => {
    if (corked) socket.uncork();
    corked = false;
  };
  stuffing.once('end', uncork);
  // A mail larger than the socket's buffer: the stream waits for the socket, and would wait for ever.
  stuffing.once('pause', uncork);
}

/** Ends a transaction that was refused half way (RFC 5321 section 4.1.1.5), or the session where that fails. */
function reset(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve) => {
    connection.once('end', resolve);
    connection.reset((error) => {
      if (error) connection.close();
      connection.off('end', resolve);
      resolve();
    });
  });
}

function quit(connection: SMTPConnection, timeout: number): Promise<void> {
  if (connection.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.close(), timeout);
    connection.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.quit();
  });
}

/** What nodemailer says of a connection that is gone, whatever was under way. */
const LOST = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EPROTOCOL', 'ETLS', 'EDNS']);
const STAGES: Record<string, SmtpFailure['at']> = { 'MAIL FROM': 'sender', 'RCPT TO': 'recipient', DATA: 'message' };

function failureOf(error: SMTPError, progress: SmtpFailure['progress'] = 'none'): SmtpFailure {
  const lost = LOST.has(error.code ?? '');
  const stage = error.response === undefined && !lost ? 'local' : STAGES[error.command ?? ''];
  return {
    at: stage ?? 'connection',
    ...(error.response === undefined ? {} : { reply: error.response }),
    words: error.message,
    progress,
    timedOut: error.code === 'ETIMEDOUT',
  };
}
