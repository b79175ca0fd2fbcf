import type { IssueReference } from '../domain/answer.ts';
import type { MailPolicy } from '../domain/mail-policy.ts';
import type { Publication } from '../domain/publication.ts';
import type { OutgoingMail, SendResult, Transport } from '../domain/transport.ts';
import { fieldsTemplate, fillFields } from '../render/mail/fields.ts';
import { composeMail } from '../render/mail/mime.ts';
import { fillMail, type MailTemplate } from '../render/mail/slots.ts';
import { mailRefusal, replyToOf, senderDomain, senderOf } from './sender.ts';

export interface LetterDeps {
  newId: () => string;
  /** What carries mail to one person; may be another transport than that of digests. */
  letters: Transport;
  policy: MailPolicy;
}

/** A mail to one person, about a thing they did or must decide. */
export interface Letter {
  /** Same for the same mail: names its Message-ID too. Letters, digits and hyphens. */
  id: string;
  to: string;
  /** ISO 8601. */
  date: string;
  subject: string;
  html: string;
  text: string;
}

/** Composes a letter and hands it over. @throws Error when it was not taken: the job, or the person, may try again */
export async function sendLetter(
  deps: LetterDeps,
  publication: Publication,
  content: Letter,
  issue?: IssueReference,
): Promise<void> {
  const refusal = mailRefusal({ ...deps.policy, transport: deps.letters.name }, publication);
  // Letters to the outbox stay on the machine or with the operator: harmless wherever it is.
  if (refusal !== undefined && deps.letters.name !== 'outbox') throw new Error(`no mail is sent: ${refusal}`);
  const mail = await letter(deps, publication, content);
  const result = await sendOne(deps.letters, { ...mail, ...(issue ? { issue } : {}) });
  if (result.status !== 'sent') throw new Error(`the transport did not take a mail: ${result.error}`);
}

/** Sends one mail by itself, with its id as the idempotency key. */
export async function sendOne(transport: Transport, mail: OutgoingMail): Promise<SendResult> {
  const session = transport.open();
  try {
    const [result] = await session.send([mail], mail.id);
    return result ?? { status: 'unknown', error: 'the transport gave no result' };
  } finally {
    await session.close();
  }
}

async function letter(
  { newId, letters }: LetterDeps,
  publication: Publication,
  { id, to, date, subject, html, text }: Letter,
): Promise<OutgoingMail> {
  const from = senderOf(publication);
  const replyTo = replyToOf(publication);
  const messageId = `<${id}@${senderDomain(publication)}>`;
  const template = await composeMail({
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    html,
    text,
    date,
    nonce: newId().replaceAll('-', ''),
    slots: [],
  });
  return {
    id,
    kind: 'notice',
    from: from.email,
    to,
    subject,
    messageId,
    ...(await filled(letters, template, { to, messageId })),
  };
}

/** One recipient's mail, in the form that the transport takes. */
export async function filled(
  transport: Pick<Transport, 'form'>,
  template: MailTemplate,
  values: Record<string, string>,
): Promise<Pick<OutgoingMail, 'raw' | 'fields'>> {
  const raw = fillMail(template, values);
  return transport.form === 'raw' ? { raw } : { raw, fields: fillFields(await fieldsTemplate(template), values) };
}
