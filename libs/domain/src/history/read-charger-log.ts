import type { ChargerReader } from '../chargers/charger';
import type { HistoryReader, LogFilter, LogRow, LogSortKey } from './history';
import type { Page, PageRequest } from '../page';
import { readOwnedCharger } from '../chargers/owned-charger';

/**
 * A page of what a charger and the service said to each other. Throws `not_found` when there is no such charger or it is
 * another client's. What a deleted charger of the same id said is not in it. Heartbeats that are asked for by name are in it.
 */
export async function readChargerLog(
  deps: { readonly chargers: Pick<ChargerReader, 'findOwned'>; readonly history: Pick<HistoryReader, 'logPage'> },
  owner: { readonly clientId: string; readonly chargerId: string },
  filter: LogFilter,
  page: PageRequest<LogSortKey>,
): Promise<Page<LogRow>> {
  const charger = await readOwnedCharger(deps, owner);
  const includeHeartbeats = filter.includeHeartbeats || filter.actions?.includes('Heartbeat') === true;
  return deps.history.logPage(charger.incarnationId, { ...filter, includeHeartbeats }, page);
}
