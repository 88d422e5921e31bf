// The push settings of deleted chargers. Written with a deletion, read by push, deleted by age.
import type { Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedPushedChargers } from '@busbar/domain/webhooks';
import { eq, type Store } from '../port';
import { collections } from './collections';

export function deletedPushedChargerRecords(store: Store): DeletedPushedChargers {
  const rows = store.collection(collections.deletedPushedChargers);
  return {
    async find(clientId, chargerId) {
      const found = await rows.get(keyOf(clientId, chargerId));
      if (found === undefined) return undefined;
      const { pushIntegrationEnabled, integrationRelays, sockets } = found;
      return { pushIntegrationEnabled, integrationRelays, sockets };
    },
  };
}

/** Before the charger is deleted. Of one that is not pushed, it removes the row of an earlier charger with its id. */
export async function putDeletedPushedCharger(
  store: Store,
  { clientId, chargerId, registered }: Charger,
  deletedAt: Timestamp,
): Promise<void> {
  const rows = store.collection(collections.deletedPushedChargers);
  const _id = keyOf(clientId, chargerId);
  const { pushIntegrationEnabled, integrationRelays, sockets } = registered;
  await rows.delete(eq('_id', _id), 1);
  if (!pushIntegrationEnabled) return;
  await rows.insert({ _id, pushIntegrationEnabled, integrationRelays, sockets, deletedAt });
}

/** No charger id contains a slash. */
function keyOf(clientId: string, chargerId: string): string {
  return `${clientId}/${chargerId}`;
}
