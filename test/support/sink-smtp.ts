import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Sink } from '../setup-sinks.ts';

type Stage = 'connect' | 'greeting' | 'mail' | 'rcpt' | 'data' | 'body' | 'accepted';

/** What the server does in place of saying yes, at one stage of a session. */
interface Rule {
  /** `connect`: in place of a session; `data`: of 354; `body`: of reading what follows; `accepted`: of the reply to the final dot. */
  at: Stage;
  /** A regular expression: only for these recipients. Not for `connect`, `greeting` and `mail`, which come before them. */
  to?: string;
  /** From which match on, counted from 1. */
  nth?: number;
  /** How many matches; all, or one where `nth` is set. */
  times?: number;
  do: Deed;
}

interface Deed {
  /** Milliseconds before the rest. */
  delay?: number;
  /** Such as `451 4.7.1 slow down`; at `accepted` a 250 takes the message. */
  reply?: string;
  /** Ends the connection, after the reply if there is one. */
  close?: true;
  /** Says nothing more and reads nothing more. */
  hang?: true;
  /** At `accepted`: takes the message, and ends the connection without a word. */
  acceptThenClose?: true;
}

export interface SmtpScript {
  tls?: 'none' | 'starttls' | 'implicit';
  /** Whose name its certificate holds; both are signed by the authority that the tests trust. */
  certificate?: 'localhost' | 'elsewhere';
  /** Asks for a login; with `tls: 'none'` in plain text too. */
  auth?: { user: string; pass: string };
  rules?: Rule[];
  /** More get `421` for a greeting. */
  maxConnections?: number;
  /** `ids`: messages are kept without their bytes. */
  keep?: 'all' | 'ids';
  /** Extensions to leave out of the EHLO reply, such as `PIPELINING`. */
  without?: 'PIPELINING'[];
}

interface AcceptedMessage {
  /** Counted from 1 in the order of acceptance. */
  at: number;
  from: string;
  to: string[];
  raw: string;
  messageId: string;
  tls: boolean;
  /** Whether the client was told. */
  heard: boolean;
}

export interface SmtpLog {
  connections: number;
  /** The most that were open at once, and how many are open now. */
  mostOpen: number;
  open: number;
  /** Sessions that ended with QUIT. */
  quits: number;
  /** What the client called itself, of each session that came to a mail. */
  names: string[];
  acceptedCount: number;
  /** The server took responsibility for these, whether the client heard of it or not. */
  messages: AcceptedMessage[];
  refused: { at: Stage; to: string[]; reply: string }[];
}

export interface SmtpSink extends Sink {
  log(): SmtpLog;
}

/** An SMTP server on a free port of loopback that does what the script says. */
export async function smtpSink(script: SmtpScript): Promise<SmtpSink> {
  const log: SmtpLog = {
    connections: 0,
    mostOpen: 0,
    open: 0,
    quits: 0,
    names: [],
    acceptedCount: 0,
    messages: [],
    refused: [],
  };
  const server = scriptedServer(script, log, ruleBook(script.rules ?? []));
  // A client that hangs up or does not trust the certificate is part of many tests.
  server.on('error', () => undefined);
  const sockets = watchSockets(server, log);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    log: () => log,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Find = (at: Stage, to?: string[]) => Deed | undefined;

function ruleBook(rules: Rule[]): Find {
  const open = rules.map(({ at, to, nth, times, do: deed }) => ({
    at,
    to: to === undefined ? undefined : new RegExp(to),
    first: nth ?? 1,
    last: (nth ?? 1) + (times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1)) - 1,
    seen: 0,
    deed,
  }));
  return (at, to = []) => {
    for (const rule of open) {
      if (rule.at !== at || (rule.to && !to.some((address) => rule.to?.test(address)))) continue;
      rule.seen += 1;
      if (rule.seen >= rule.first && rule.seen <= rule.last) return rule.deed;
    }
    return undefined;
  };
}

function watchSockets(server: SMTPServer, log: SmtpLog): Set<Socket> {
  const sockets = new Set<Socket>();
  server.server.prependListener('connection', (socket: Socket) => {
    sockets.add(socket);
    log.connections += 1;
    log.open += 1;
    log.mostOpen = Math.max(log.mostOpen, log.open);
    socket.once('close', () => {
      sockets.delete(socket);
      log.open -= 1;
    });
  });
  return sockets;
}

type Answer = (error?: Error | null, message?: string) => void;

function scriptedServer(script: SmtpScript, log: SmtpLog, find: Find): SMTPServer {
  const { tls = 'none', auth, certificate = 'localhost' } = script;
  const pem = readFileSync(resolve(import.meta.dirname, `tls/${certificate}.pem`));
  const server: SMTPServer = new SMTPServer({
    logger: false,
    name: 'sink.test',
    secure: tls === 'implicit',
    key: pem,
    cert: pem,
    hideSTARTTLS: tls === 'none',
    authOptional: !auth,
    allowInsecureAuth: tls === 'none',
    hidePIPELINING: script.without?.includes('PIPELINING') ?? false,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    disabledCommands: [...(auth ? [] : ['AUTH']), ...(tls === 'none' ? ['STARTTLS'] : [])],
    onAuth: (login, _session, callback) => {
      if (login.username === auth?.user && login.password === auth?.pass) return callback(null, { user: 'known' });
      return callback(refusal('535 5.7.8 Authentication credentials invalid'));
    },
    onConnect: (session, callback) => {
      overrideData(server, session, log, find);
      const full = log.open > (script.maxConnections ?? Number.POSITIVE_INFINITY);
      perform(full ? { reply: '421 4.7.0 too many connections' } : find('greeting'), 'greeting', session, callback);
    },
    onMailFrom: (_address, session, callback) => {
      log.names.push(session.hostNameAppearsAs);
      perform(find('mail'), 'mail', session, callback);
    },
    onRcptTo: ({ address }, session, callback) =>
      perform(find('rcpt', [address]), 'rcpt', session, callback, [address]),
    onData: (stream, session, callback) => void receive(stream, session, callback),
  });

  // Before smtp-server sees the socket.
  server.server.prependListener('connection', (socket: Socket) => {
    const deed = find('connect');
    if (deed?.close) socket.destroy();
  });

  function perform(
    deed: Deed | undefined,
    at: Stage,
    session: SMTPServerSession,
    answer: Answer,
    to = recipients(session),
  ): void {
    if (deed?.delay !== undefined) {
      const { delay, ...rest } = deed;
      setTimeout(() => perform(rest, at, session, answer, to), delay);
      return;
    }
    if (deed?.hang) return;
    if (deed?.reply !== undefined) {
      log.refused.push({ at, to, reply: deed.reply });
      answer(refusal(deed.reply));
    }
    if (deed?.close) hangUp(session, deed.reply !== undefined);
    else if (deed?.reply === undefined) answer();
  }

  function hangUp(session: SMTPServerSession, politely: boolean): void {
    const connection = [...server.connections].find(({ id }) => id === session.id);
    if (politely) connection?._socket.end();
    else connection?._socket.destroy();
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession, answer: Answer): Promise<void> {
    const to = recipients(session);
    const start = find('body', to);
    if (start?.hang) return;
    if (start?.close) {
      await once(stream, 'readable');
      return hangUp(session, false);
    }
    const raw = (await buffer(stream)).toString('latin1');
    const deed = find('accepted', to);
    if (deed === undefined || deed.acceptThenClose || deed.reply?.startsWith('2')) {
      accept(session, raw, !deed?.acceptThenClose);
    }
    if (deed?.acceptThenClose) return hangUp(session, false);
    if (deed?.reply?.startsWith('250 ')) return answer(null, deed.reply.slice(4));
    perform(deed, 'accepted', session, answer);
  }

  function accept(session: SMTPServerSession, raw: string, heard: boolean): void {
    log.acceptedCount += 1;
    log.messages.push({
      at: log.acceptedCount,
      from: (session.envelope.mailFrom || { address: '' }).address,
      to: recipients(session),
      raw: script.keep === 'ids' ? '' : raw,
      heard,
      messageId: /^Message-ID: *(\S+)/im.exec(raw.slice(0, raw.indexOf('\r\n\r\n')))?.[1] ?? '',
      tls: session.secure,
    });
  }

  /** smtp-server has no hook between DATA and its 354, and none for QUIT. */
  function overrideData(server: SMTPServer, session: SMTPServerSession, log: SmtpLog, find: Find): void {
    const connection = [...server.connections].find(({ id }) => id === session.id);
    if (!connection) return;
    const data = connection.handler_DATA.bind(connection);
    connection.handler_DATA = (command, callback) => {
      const deed = session.envelope.rcptTo.length > 0 ? find('data', recipients(session)) : undefined;
      perform(deed, 'data', session, (error) => {
        if (!error) return data(command, callback);
        const { responseCode, message } = error as Refusal;
        connection.send(responseCode, message);
        callback();
      });
    };
    const quit = connection.handler_QUIT.bind(connection);
    connection.handler_QUIT = (command, callback) => {
      log.quits += 1;
      quit(command, callback);
    };
  }

  return server;
}

function recipients(session: SMTPServerSession): string[] {
  return session.envelope?.rcptTo?.map(({ address }) => address) ?? [];
}

interface Refusal extends Error {
  responseCode: number;
}

/** `451 4.7.1 slow down` as smtp-server wants it. */
function refusal(reply: string): Refusal {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
