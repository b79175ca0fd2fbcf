import type { MailSession, OutgoingMail, SendResult, TransportSetup } from '../domain/transport.ts';
import { openSmtp, type SmtpConnection, type SmtpOptions } from './smtp-connection.ts';
import { providerIdOf, resultOf, type SmtpFailure, unreachable } from './smtp-reply.ts';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts';

/** Workers may have six connections open at once (Cloudflare, "Simultaneous open connections"); one is left to others. */
const CONNECTIONS = 5;
const BATCH_SIZE = 20;

/** SMTP to the server that `SMTP_URL` names: `smtps://…`, `smtp://…`, or in plain text `smtp://…?tls=off`. */
export const smtpTransport = smtpTransportWith({
  timeouts: { connection: 15_000, greeting: 15_000, socket: 60_000, quit: 2_000 },
});

/** The same with other times to wait, and for tests other certificates to trust. */
export function smtpTransportWith(options: SmtpOptions): TransportSetup {
  return (env, fault) => {
    const server = parseSmtpUrl(env.SMTP_URL, (allowed) => fault('SMTP_URL', allowed));
    if (!server) return undefined;
    return () => ({
      name: 'smtp',
      batchSize: BATCH_SIZE,
      form: 'raw',
      recognisesRepeats: false,
      open: () => smtpSession(server, options),
    });
  };
}

/** A mail that waits for its turn. One whose connection is lost before any of it was sent gets a second one. */
interface Turn {
  mail: OutgoingMail;
  second: boolean;
  settle(result: SendResult): void;
}

function smtpSession(server: SmtpServer, options: SmtpOptions): MailSession {
  const pool = connectionPool(server, options);
  return {
    async send(mails) {
      const results: SendResult[] = [];
      const turns: Turn[] = [];
      for (const [index, mail] of mails.entries()) {
        const settle = (result: SendResult) => {
          results[index] = result;
        };
        const fault = envelopeFault(mail);
        if (fault === undefined) turns.push({ mail, second: false, settle });
        else settle({ status: 'failed', error: fault });
      }
      await sendAll(turns, pool);
      return results;
    },
    close: () => pool.close(),
  };
}

/** Line breaks would be commands, angle brackets parameters (RFC 5321 section 4.1.1). */
function envelopeFault({ from, to }: OutgoingMail): string | undefined {
  if (!ADDRESS.test(from)) return 'from must be one e-mail address without spaces, control characters and < >';
  if (!ADDRESS.test(to)) return 'to must be one e-mail address without spaces, control characters and < >';
  return undefined;
}

const ADDRESS = /^[^\s\p{C}<>]+@[^\s\p{C}<>@]+$/u;

async function sendAll(turns: Turn[], pool: ConnectionPool): Promise<void> {
  const [first] = turns;
  if (!first) return;
  const name = first.mail.from.slice(first.mail.from.lastIndexOf('@') + 1);
  // One connection goes ahead: a password that is refused five times at once may lock the account.
  const ahead = await pool.acquire(name);
  if (!('alive' in ahead)) return settleRest(turns, pool, ahead);
  pool.release(ahead);
  const workers = Math.min(CONNECTIONS, turns.length);
  const failures = await Promise.all(Array.from({ length: workers }, () => work(turns, pool, name)));
  const failure = failures.find((each) => each !== undefined);
  if (failure) settleRest(turns, pool, failure);
}

function settleRest(turns: Turn[], pool: ConnectionPool, failure: SmtpFailure): void {
  for (const turn of turns) turn.settle(pool.unreachable(failure));
}

/** Sends one mail after the other. @returns why no connection could be had, if it had to stop before the last */
async function work(turns: Turn[], pool: ConnectionPool, name: string): Promise<SmtpFailure | undefined> {
  while (turns.length > 0) {
    const connection = await pool.acquire(name);
    if (!('alive' in connection)) return connection;
    const turn = turns.shift();
    if (turn) await sendOne(turn, connection, turns);
    pool.release(connection);
  }
  return undefined;
}

async function sendOne(turn: Turn, connection: SmtpConnection, turns: Turn[]): Promise<void> {
  const used = connection.answered > 0;
  const outcome = await connection.send(turn.mail);
  if ('accepted' in outcome) turn.settle(sent(outcome.accepted));
  else if (!turn.second && mayTryAgain(outcome, used)) turns.unshift({ ...turn, second: true });
  else turn.settle(resultOf(outcome));
}

function sent(reply: string): SendResult {
  const providerId = providerIdOf(reply);
  return { status: 'sent', ...(providerId === undefined ? {} : { providerId }) };
}

/** A server may end a session at any time, and many do after so many mails, with 421: that says nothing of the next one. */
function mayTryAgain({ progress, reply, timedOut }: SmtpFailure, used: boolean): boolean {
  if (progress !== 'none' || timedOut) return false;
  return reply === undefined || (used && reply.startsWith('421'));
}

interface ConnectionPool {
  acquire(name: string): Promise<SmtpConnection | SmtpFailure>;
  release(connection: SmtpConnection): void;
  unreachable(failure: SmtpFailure): SendResult;
  close(): Promise<void>;
}

function connectionPool(server: SmtpServer, options: SmtpOptions): ConnectionPool {
  const idle: SmtpConnection[] = [];
  /** Asking again with the same password and the same trust would not help, and may lock the account. */
  let refused: SmtpFailure | undefined;
  const takeIdle = () => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) if (connection.alive) return connection;
    return undefined;
  };
  return {
    async acquire(name) {
      const ready = takeIdle();
      if (ready) return ready;
      if (refused) return refused;
      const opened = await openSmtp(server, name, options);
      if ('alive' in opened) return opened;
      if (opened.at === 'login' || opened.at === 'tls') refused = opened;
      // The server may allow fewer connections than we would like.
      return takeIdle() ?? opened;
    },
    release(connection) {
      if (connection.alive) idle.push(connection);
    },
    unreachable: (failure) => unreachable(server, failure),
    async close() {
      await Promise.all(idle.splice(0).map((connection) => connection.quit()));
    },
  };
}
