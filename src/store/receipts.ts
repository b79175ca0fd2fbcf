import type { ReceiptStore } from '../domain/content-ports.ts';
import { commit, keepAnswer } from './batch.ts';

/** Webhook calls and their answers. */
export function receiptStore(db: D1Database): ReceiptStore {
  return {
    async read(id) {
      const row = await db
        .prepare('SELECT bodyHash, answer FROM receipt WHERE id = ?')
        .bind(id)
        .first<{ bodyHash: string; answer: string }>();
      return row ? { bodyHash: row.bodyHash, answer: JSON.parse(row.answer) } : undefined;
    },

    async keep(kept) {
      await commit(db, [keepAnswer(db, kept)]);
    },
  };
}
