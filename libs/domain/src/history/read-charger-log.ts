import type { ChargerReader } from '../chargers/charger';
import type { HistoryReader, LogFilter, LogRow, LogSortKey } from './history';
import type { Page, PageRequest } from '../page';
import { readOwnedCharger } from '../chargers/owned-charger';

/**
 * A page of a charger's log. Throws `not_found` when the charger is unknown or another client's. The log of a deleted
 * charger with the same id is not part of it. Heartbeats appear where `actions` names them.
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
