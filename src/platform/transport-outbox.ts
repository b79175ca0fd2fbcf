import type { OutgoingMail, Transport } from '../domain/ports.ts';

/** The embedded transport: every mail is stored, none leaves. */
export function outboxTransport(
  outbox: { add(mails: OutgoingMail[], at: string): Promise<void> },
  now: () => string,
): Transport {
  return {
    async send(mails) {
      await outbox.add(mails, now());
      return mails.map(() => ({ status: 'sent' }));
    },
  };
}
