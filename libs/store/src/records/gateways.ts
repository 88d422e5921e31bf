import type { Records } from '@busbar/domain';
import type { Store } from '../port';
import { gatewaysCollection } from './collections';

/** What the APIs need to know of gateways. charger-state alone writes it; see `createPresenceStore`. */
export function gatewayRecords(store: Store): Records['gateways'] {
  const gateways = store.collection(gatewaysCollection);
  return {
    async isDead(gatewayId) {
      return (await gateways.get(gatewayId))?.state === 'dead';
    },
  };
}
