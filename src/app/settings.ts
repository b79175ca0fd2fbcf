import type { PublicationStore, ReceiptStore } from '../domain/content-ports.ts';
import { type Fault, Refusal } from '../domain/errors.ts';
import type { Hashes } from '../domain/ports.ts';
import type { Publication, PublicationSettings } from '../domain/publication.ts';
import type { PublicationData } from '../domain/webhook.ts';
import type { Call } from './webhook.ts';

export interface SettingsDeps {
  newId: () => string;
  publications: PublicationStore;
  receipts: ReceiptStore;
  hashes: Hashes;
}

/** What a call makes of the publication, decided but not done. */
export interface SettingsPlan {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged';
  settings: PublicationSettings;
  contentHash: string;
  before?: PublicationSettings;
}

/** Takes the publication's settings and digests. @throws Refusal naming every double id or moved id */
export async function updatePublication(deps: SettingsDeps, data: PublicationData, call: Call): Promise<void> {
  const { id, outcome, settings, contentHash } = await planSettings(deps, data);
  const kept = { receipt: call.receipt, answer: { id, outcome } };
  if (outcome === 'unchanged') await deps.receipts.keep(kept);
  else await deps.publications.commit({ id, settings, contentHash, at: call.now }, kept);
}

/** What a call would make of the publication. @throws Refusal as `updatePublication` does */
export async function planSettings(
  deps: Pick<SettingsDeps, 'newId' | 'publications' | 'hashes'>,
  { id: givenId, ...settings }: PublicationData,
): Promise<SettingsPlan> {
  const stored = await deps.publications.read();
  const faults = [...digestFaults(settings), ...idFaults(stored?.id, givenId)];
  if (faults.length > 0) throw new Refusal('invalid', 'The publication was not changed.', faults);
  const id = stored?.id ?? givenId ?? deps.newId();
  const contentHash = await deps.hashes.sha256(JSON.stringify(settings));
  const before = stored ? { before: stored.settings } : {};
  return { id, outcome: outcomeOf(stored?.contentHash, contentHash), settings, contentHash, ...before };
}

/** The publication with the address it is served at, or undefined before the first publication.updated. */
export async function readPublication(
  publications: PublicationStore,
  baseUrl: string,
): Promise<Publication | undefined> {
  const stored = await publications.read();
  return stored && { ...stored.settings, id: stored.id, baseUrl };
}

/** The same for who cannot do without. @throws Refusal before the first publication.updated */
export async function withPublication(publications: PublicationStore, baseUrl: string): Promise<Publication> {
  const publication = await readPublication(publications, baseUrl);
  if (publication) return publication;
  throw new Refusal('invalid', 'There is no publication yet: send publication.updated first.');
}

function outcomeOf(before: string | undefined, after: string): 'created' | 'updated' | 'unchanged' {
  if (before === undefined) return 'created';
  return before === after ? 'unchanged' : 'updated';
}

function digestFaults({ digests }: PublicationSettings): Fault[] {
  return digests.flatMap(({ id }, index) =>
    digests.findIndex((other) => other.id === id) < index
      ? [{ pointer: `/data/digests/${index}/id`, message: `${id} is the id of another digest already` }]
      : [],
  );
}

function idFaults(stored: string | undefined, given: string | undefined): Fault[] {
  if (stored === undefined || given === undefined || stored === given) return [];
  return [{ pointer: '/data/id', message: `must stay ${stored}: article ids are made of it` }];
}
