import type { Answer, Receipt } from '../domain/answer.ts';
import { Raced, type ReceiptStore } from '../domain/content-ports.ts';
import { Refusal } from '../domain/errors.ts';

/** One proven call, as use cases see it. */
export interface Call {
  receipt: Receipt;
  /** The body's own timestamp. */
  timestamp: string;
  /** When it arrived. */
  now: string;
}

/** Tries of one call against writers that were faster. */
const ATTEMPTS = 10;

/**
 * The answer that was given to this call before, if it was.
 * @throws Refusal when the id was used for other bytes
 */
export async function earlierAnswer(receipts: ReceiptStore, receipt: Receipt): Promise<Answer | undefined> {
  const known = await receipts.read(receipt.id);
  if (known && known.bodyHash !== receipt.bodyHash) {
    throw new Refusal('conflict', 'This webhook-id was used for other content; use a new id for a new call.');
  }
  return known?.answer;
}

/**
 * Does the work of a call once. `work` writes its answer in the same transaction as its effect; so whoever stops half
 * way has done nothing, and of two equal calls the second is undone and finds the first one's answer.
 */
export async function once(receipts: ReceiptStore, call: Call, work: () => Promise<void>): Promise<Answer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await earlierAnswer(receipts, call.receipt);
    if (answer) return answer;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Raced)) throw error;
    }
  }
  throw new Refusal('unavailable', 'Too many calls change the same thing at once; repeat this call.');
}
