import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { fieldsTemplate, fillFields } from '../../src/render/mail/fields.ts';
import type { MailTemplate } from '../../src/render/mail/slots.ts';

/** As many as the smtp transport has open. */
const CONNECTIONS = 5;
/** For each connection one that is sent and one that is ready. */
const UNDER_WAY = 2 * CONNECTIONS;

/** What nodemailer is given for reader number `n`. */
export type WriteMail = (n: number) => ReturnType<typeof optionsOf>;

/** Writes the mails that a composed issue would be filled in to, as nodemailer takes them. */
export async function mailsLike(template: MailTemplate): Promise<WriteMail> {
  const fields = await fieldsTemplate(template);
  return (n) => optionsOf(fields, n);
}

function optionsOf(fields: Awaited<ReturnType<typeof fieldsTemplate>>, n: number) {
  const token = 'x'.repeat(140) + n;
  const messageId = `<bench.${n}.${performance.now()}@reader.example>`;
  const unsubscribe = `https://harbour.example/unsubscribe/${token}`;
  const preferences = `https://harbour.example/preferences/${token}`;
  const to = `reader-${n}@reader.example`;
  const { from, subject, html, text, headers } = fillFields(fields, { to, messageId, unsubscribe, preferences });
  const { 'Message-ID': _, ...others } = headers;
  return {
    from: { name: from.name, address: from.email },
    to,
    subject,
    html,
    text,
    messageId,
    headers: others,
    encoding: 'quoted-printable' as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The bytes of one mail, composed by nodemailer. */
export function composeByNodemailer(write: WriteMail, n: number): Promise<Buffer> {
  return new MailComposer(write(n)).compile().build();
}

/** Sends to readers 0 to `count`, each composed by itself, over a pool of connections. */
export async function sendByNodemailer(port: number, count: number, write: WriteMail): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  let next = 0;
  const sender = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      await transport.sendMail(write(n));
    }
  };
  try {
    await Promise.all(Array.from({ length: UNDER_WAY }, sender));
  } finally {
    transport.close();
  }
}
