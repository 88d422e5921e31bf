import type { Records } from '@busbar/domain';
import type { Store } from '../../port';
import { collections } from '../collections';

/** Gateways as the APIs read them. charger-state writes them; see `createPresenceStore`. */
export function gatewayRecords(store: Store): Records['gateways'] {
  const gateways = store.collection(collections.gateways);
  return {
    async isDead(gatewayId) {
      return (await gateways.get(gatewayId))?.state === 'dead';
    },
  };
}
