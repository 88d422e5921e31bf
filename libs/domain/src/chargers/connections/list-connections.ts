import type { Page, PageRequest } from '../../page';
import type { ChargerReader } from '../charger';
import type { ConnectionFilter, ConnectionReader, ConnectionRecord } from './connection-record';
import { readOwnedCharger } from '../owned-charger';

/**
 * A page of a charger's connections. Throws `not_found` when the charger is unknown or another client's. Connections of a
 * deleted charger with the same id are not part of it.
 */
export async function listConnections(
  deps: { readonly chargers: Pick<ChargerReader, 'findOwned'>; readonly connectionHistory: ConnectionReader },
  owner: { readonly clientId: string; readonly chargerId: string },
  filter: ConnectionFilter,
  page: PageRequest<'connectedAt'>,
): Promise<Page<ConnectionRecord>> {
  const { incarnationId } = await readOwnedCharger(deps, owner);
  return deps.connectionHistory.list(incarnationId, filter, page);
}
