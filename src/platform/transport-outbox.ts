import type { TransportSetup } from '../domain/transport.ts';

/** The embedded transport: every mail is stored, none leaves. */
export const outboxTransport: TransportSetup =
  () =>
  ({ outbox, now }) => ({
    name: 'outbox',
    batchSize: 50,
    form: 'raw',
    recognisesRepeats: true,
    open: () => ({
      async send(mails) {
        await outbox.add(mails, now());
        return mails.map(() => ({ status: 'sent' }));
      },
      async close() {},
    }),
  });
