import { Refusal } from '../domain/errors.ts';
import type { Hashes, PublicationStore, SubscriberStore } from '../domain/ports.ts';
import { normaliseEmail } from '../domain/subscriber.ts';

export interface SubscribeDeps {
  now: () => string;
  newId: () => string;
  publications: PublicationStore;
  subscribers: SubscriberStore;
  hashes: Hashes;
}

/**
 * Adds an active subscription for somebody who agreed to it elsewhere; false when there is one already, active or not.
 * @throws Refusal for a faulty address or an unknown digest
 */
export async function addSubscription(
  deps: SubscribeDeps,
  { email, digest }: { email: string; digest: string },
): Promise<boolean> {
  const address = normaliseEmail(email);
  const publication = await deps.publications.read();
  const faults = [
    ...(address === undefined
      ? [{ pointer: '/email', message: 'must be an e-mail address that mail can be sent to' }]
      : []),
    ...(publication?.settings.digests.some(({ id }) => id === digest)
      ? []
      : [{ pointer: '/digest', message: 'must be the id of a digest' }]),
  ];
  if (address === undefined || faults.length > 0) throw new Refusal('invalid', 'Nobody was added.', faults);
  const subscriber = { id: deps.newId(), email: address, addressHash: await deps.hashes.address(address) };
  return deps.subscribers.subscribe(subscriber, digest, deps.now());
}
