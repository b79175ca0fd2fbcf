import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SinkPorts, Taken } from './delivery-sink.ts';

/**
 * Takes every mail and keeps none. It does the least there is, so that what is measured is who sends: no RFC is checked,
 * which the tests' own sinks do.
 */

const END = Buffer.from('\r\n.\r\n');
const people = new Set<string>();
let mails = 0;
let bytes = 0;

function take(to: string, size: number): void {
  people.add(to);
  mails += 1;
  bytes += size;
}

function serveSmtp(socket: Socket): void {
  let waiting: Buffer = Buffer.alloc(0);
  let to = '';
  let inData = false;
  const command = (line: string): string => {
    const word = line.slice(0, 4).toUpperCase();
    if (word === 'EHLO') return '250-sink.test\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
    if (word === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (word === 'DATA') inData = true;
    return word === 'DATA' ? '354 go on\r\n' : word === 'QUIT' ? '221 bye\r\n' : '250 2.0.0 OK\r\n';
  };
  /** @returns the reply to what is complete, with that taken off; undefined when nothing is */
  const next = (): string | undefined => {
    const end = waiting.indexOf(inData ? END : '\r\n');
    if (end < 0) return undefined;
    const length = end + (inData ? END.length : 2);
    const piece = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    if (!inData) return command(piece.toString('latin1'));
    inData = false;
    take(to, length);
    return `250 2.0.0 Ok: queued as ${mails.toString(36).padStart(8, '0')}\r\n`;
  };
  socket.setNoDelay(true).on('error', () => socket.destroy());
  socket.write('220 sink.test ESMTP\r\n');
  socket.on('data', (chunk) => {
    waiting = waiting.length > 0 ? Buffer.concat([waiting, chunk]) : chunk;
    for (let reply = next(); reply !== undefined; reply = next()) {
      socket.write(reply);
      if (reply.startsWith('221')) socket.end();
    }
  });
}

async function serveResend(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const given = JSON.parse(body.toString()) as { to: string[] }[];
  for (const mail of given) take(mail.to.join(), body.length / given.length);
  const data = given.map((_, index) => ({ id: `${request.headers['idempotency-key']}-${index}` }));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data, errors: [] }));
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function answer(message: SinkPorts | Taken): void {
  process.send?.(message);
}

process.on('message', () => {
  answer({ mails, people: people.size, bytes });
  people.clear();
  mails = 0;
  bytes = 0;
});
process.on('disconnect', () => process.exit());
const smtp = createServer(serveSmtp);
const resend = createHttpServer((request, response) => {
  void serveResend(request, response).catch(() => response.destroy());
});
answer({ smtp: await portOf(smtp), resend: await portOf(resend) });
