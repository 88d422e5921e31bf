import type { Records } from '@busbar/domain';
import { eq, type Store } from '../../port';
import { collections } from '../collections';

/** Gateways as the APIs read them. charger-state writes them; see `createPresenceStore`. */
export function gatewayRecords(store: Store): Records['gateways'] {
  const gateways = store.collection(collections.gateways);
  const chargers = store.collection(collections.chargers);
  return {
    async isDead(gatewayId) {
      return (await gateways.get(gatewayId))?.state === 'dead';
    },
    async countActive() {
      const groups = await chargers.countGroups(['connection.gatewayId'], eq('connection.active', true));
      return groups.map(({ values: [gatewayId], count }) => ({ gatewayId: String(gatewayId), chargers: count }));
    },
  };
}
