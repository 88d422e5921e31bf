// The push settings of deleted chargers. Written with a deletion, read by push, deleted by age.
import type { Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedPushedChargers } from '@busbar/domain/webhooks';
import { eq, type Store } from '../port';
import { asJson } from './as-json';
import { collections } from './collections';

export function deletedPushedChargerRecords(store: Store): DeletedPushedChargers {
  const rows = store.collection(collections.deletedPushedChargers);
  return {
    async find(clientId, incarnationId) {
      const found = await rows.get(incarnationId);
      if (found?.clientId !== clientId) return undefined;
      const { pushIntegrationEnabled, integrationRelays, sockets } = found;
      return { pushIntegrationEnabled, integrationRelays, sockets };
    },
  };
}

/** Before the charger is deleted. One that is not pushed leaves nothing. */
export async function putDeletedPushedCharger(
  store: Store,
  { clientId, incarnationId, registered }: Charger,
  deletedAt: Timestamp,
): Promise<void> {
  const rows = store.collection(collections.deletedPushedChargers);
  const { pushIntegrationEnabled, integrationRelays, sockets } = registered;
  const settings = {
    clientId,
    pushIntegrationEnabled,
    integrationRelays: [...integrationRelays],
    sockets: asJson(sockets),
  };
  if (!pushIntegrationEnabled) return;
  // An earlier attempt may have left one, with other settings.
  if (
    (await rows.insert({ _id: incarnationId, clientId, pushIntegrationEnabled, integrationRelays, sockets, deletedAt }))
      .inserted
  )
    return;
  await rows.update(eq('_id', incarnationId), { set: { ...settings, deletedAt } });
}
