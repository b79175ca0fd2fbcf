import type { ImportRow, ImportStore } from '../domain/audience-ports.ts';
import type { PublicationStore } from '../domain/content-ports.ts';
import { type Fault, Refusal } from '../domain/errors.ts';
import type { Hashes } from '../domain/ports.ts';
import { normaliseEmail } from '../domain/subscriber.ts';

export interface ImportDeps {
  now: () => string;
  newId: () => string;
  publications: PublicationStore;
  imports: ImportStore;
  hashes: Hashes;
}

/** A page of a file of subscribers. */
export interface ImportPage {
  digest: string;
  dryRun: boolean;
  /** What the importer states as proof that active people agreed, where a row has none of its own. */
  consent?: string;
  rows: (ImportRow & { line: number })[];
}

export interface ImportResult {
  created: number;
  unchanged: number;
  changed: number;
  /** Active rows whose address is never to be mailed. */
  suppressed: number;
  faults: { line: number; message: string }[];
}

type Verdict = 'created' | 'unchanged' | 'changed' | 'suppressed';

/** How strict a status is: of two rows for one address the stricter counts. */
const STRICTNESS: ImportRow['status'][] = ['active', 'unsubscribed', 'bounced', 'complained'];

/**
 * Takes a page of subscribers. The same page again changes nothing; whoever left is never made active, and a
 * suppression wins over every row. @throws Refusal for an unknown digest
 */
export async function importPage(deps: ImportDeps, page: ImportPage): Promise<ImportResult> {
  await requireDigest(deps, page.digest);
  const result: ImportResult = { created: 0, unchanged: 0, changed: 0, suppressed: 0, faults: [] };
  const rows = await strictest(deps, page, result.faults);
  const known = await deps.imports.known(page.digest, [...rows.keys()]);
  const writes: Parameters<ImportStore['write']>[1] = [];
  for (const [addressHash, row] of rows) {
    const verdict = judge(row, known.get(addressHash));
    result[verdict] += 1;
    if (verdict === 'suppressed' || verdict === 'unchanged') continue;
    const { line, ...values } = row;
    writes.push({ ...values, id: deps.newId(), addressHash, ...statusFields(row.status) });
  }
  if (!page.dryRun && writes.length > 0) await deps.imports.write(page.digest, writes, page.consent, deps.now());
  return result;
}

async function requireDigest({ publications }: ImportDeps, digest: string): Promise<void> {
  const publication = await publications.read();
  const known = publication?.settings.digests.map(({ id }) => id) ?? [];
  if (known.includes(digest)) return;
  const faults: Fault[] = [
    { pointer: '/digest', message: `must be one of ${known.join(', ') || 'no digest there is'}` },
  ];
  throw new Refusal('invalid', 'Nobody was imported.', faults);
}

async function strictest(deps: ImportDeps, { rows, consent }: ImportPage, faults: ImportResult['faults']) {
  const byAddress = new Map<string, ImportPage['rows'][number]>();
  for (const row of rows) {
    const email = normaliseEmail(row.email);
    if (email === undefined) {
      faults.push({ line: row.line, message: 'is no e-mail address that mail can be sent to' });
    } else if (row.status === 'active' && row.proof === undefined && consent === undefined) {
      faults.push({ line: row.line, message: 'has no proof of consent' });
    } else {
      const hash = await deps.hashes.address(email);
      const other = byAddress.get(hash);
      if (!other || STRICTNESS.indexOf(row.status) > STRICTNESS.indexOf(other.status))
        byAddress.set(hash, { ...row, email });
    }
  }
  return byAddress;
}

function judge(row: ImportRow, known: { status: string | undefined; suppressed: boolean } | undefined): Verdict {
  if (row.status === 'active') {
    if (known?.status === 'active' || known?.status === 'unsubscribed') return 'unchanged';
    return known?.suppressed ? 'suppressed' : 'created';
  }
  if (known?.status === undefined) return 'created';
  const leaves = known.status !== 'unsubscribed' || (row.status !== 'unsubscribed' && !known.suppressed);
  return leaves ? 'changed' : 'unchanged';
}

function statusFields(status: ImportRow['status']): {
  status: 'active' | 'unsubscribed';
  suppression?: 'hard_bounce' | 'complaint';
} {
  if (status === 'bounced') return { status: 'unsubscribed', suppression: 'hard_bounce' };
  if (status === 'complained') return { status: 'unsubscribed', suppression: 'complaint' };
  return { status };
}
