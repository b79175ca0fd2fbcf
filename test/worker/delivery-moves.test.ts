import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES, type DeliveryStatus } from '../../src/domain/delivery.ts';

describe('the ledger', () => {
  const STATES = DELIVERY_STATES;
  type State = DeliveryStatus;

  /** Where each may come from, once something was handed to a carrier. */
  const FROM: Record<State, readonly State[]> = {
    queued: ['sending', 'unknown'],
    sending: ['queued'],
    sent: STATES.filter((state) => state !== 'bounced'),
    bounced: ['queued', 'sending', 'sent', 'unknown'],
    failed: ['sending', 'unknown'],
    suppressed: ['queued'],
    unsubscribed: ['queued'],
    superseded: ['queued', 'sending', 'unknown'],
    cancelled: ['queued', 'sending', 'unknown'],
    unknown: ['sending'],
  };
  const NEVER_TRIED: Partial<Record<State, readonly State[]>> = { ...FROM, sent: [], bounced: [] };

  /** By the shortest way there is. */
  const WAYS: Record<State, State[]> = {
    queued: [],
    sending: ['sending'],
    sent: ['sending', 'sent'],
    bounced: ['sending', 'bounced'],
    failed: ['sending', 'failed'],
    suppressed: ['suppressed'],
    unsubscribed: ['unsubscribed'],
    superseded: ['superseded'],
    cancelled: ['cancelled'],
    unknown: ['sending', 'unknown'],
  };

  const insert = (status: State) =>
    env.DB.prepare(
      `INSERT INTO delivery (digest, number, revision, subscriberId, status, leasedUntil, updatedAt)
       VALUES ('weekly', 1, 1, 'ada', ?1, CASE ?1 WHEN 'sending' THEN '2026-06-16T06:05:00Z' END, '2026-06-16T06:00:00Z')`,
    )
      .bind(status)
      .run();
  const move = (to: State) =>
    env.DB.prepare(
      `UPDATE delivery SET status = ?1, leasedUntil = CASE ?1 WHEN 'sending' THEN '2026-06-16T06:05:00Z' END`,
    )
      .bind(to)
      .run();
  const attempts = (count: number) => env.DB.prepare('UPDATE delivery SET attempts = ?').bind(count).run();

  async function movesFrom(from: State, tried: number): Promise<State[]> {
    const allowed: State[] = [];
    for (const to of STATES) {
      await env.DB.prepare('DELETE FROM delivery').run();
      await insert('queued');
      await attempts(1);
      for (const step of WAYS[from]) await move(step);
      await attempts(tried);
      const moved = await move(to).catch((error: unknown) => String(error));
      if (typeof moved !== 'string') allowed.push(to);
      else expect(moved).toContain('a delivery cannot make this move');
    }
    return allowed;
  }

  test.each(STATES)('lets a %s one move where it may, and nowhere else', async (from) => {
    const staysOr = (table: Partial<Record<State, readonly State[]>>) =>
      STATES.filter((to) => to === from || table[to]?.includes(from));
    expect(await movesFrom(from, 1)).toEqual(staysOr(FROM));
    expect(await movesFrom(from, 0)).toEqual(staysOr(NEVER_TRIED));
  });

  test.each(STATES)('begins as queued, not as %s unless that is it', async (status) => {
    const inserted = await insert(status).catch((error: unknown) => String(error));
    if (status === 'queued') expect(inserted).toMatchObject({ success: true });
    else expect(inserted).toContain('a delivery begins as queued');
    const { results } = await env.DB.prepare('SELECT status FROM delivery').all();
    expect(results).toEqual(status === 'queued' ? [{ status: 'queued' }] : []);
  });

  test('knows no other state', async () => {
    await insert('queued');
    await expect(move('lost' as State)).rejects.toThrow(/CHECK constraint|cannot make this move/);
  });
});
