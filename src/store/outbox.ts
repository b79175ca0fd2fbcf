import type { OutboxMessage, OutgoingMail } from '../domain/transport.ts';

type Row = { [K in keyof Required<OutboxMessage>]: Required<OutboxMessage>[K] | null } & { raw?: string };

const COLUMNS = `id, recipient AS "to", sender AS "from", subject, messageId, kind, digest, issue, revision, createdAt`;

/** Mails that would have been sent. */
export function outboxStore(db: D1Database) {
  return {
    /** Stores mails; one that is there already (same Message-ID) is not stored again. */
    async add(mails: OutgoingMail[], at: string): Promise<void> {
      await db.batch(
        mails.map((mail) =>
          db
            .prepare(
              `INSERT INTO outbox (id, kind, recipient, sender, subject, messageId, digest, issue, revision, raw, createdAt)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
            )
            .bind(
              mail.id,
              mail.kind,
              mail.to,
              mail.from,
              mail.subject,
              mail.messageId,
              mail.issue?.digest ?? null,
              mail.issue?.number ?? null,
              mail.issue?.revision ?? null,
              mail.raw,
              at,
            ),
        ),
      );
    },

    /** Newest first. */
    async list(limit: number): Promise<OutboxMessage[]> {
      const { results } = await db
        .prepare(`SELECT ${COLUMNS} FROM outbox ORDER BY createdAt DESC, id DESC LIMIT ?`)
        .bind(limit)
        .all<Row>();
      return results.map(toMessage);
    },

    async read(id: string): Promise<(OutboxMessage & { raw: string }) | undefined> {
      const row = await db
        .prepare(`SELECT ${COLUMNS}, raw FROM outbox WHERE id = ?`)
        .bind(id)
        .first<Row & { raw: string }>();
      return row ? { ...toMessage(row), raw: row.raw } : undefined;
    },
  };
}

function toMessage({ raw, ...row }: Row): OutboxMessage {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as OutboxMessage;
}
