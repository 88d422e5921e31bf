import type { ChargerReader } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import type { Page, PageRequest } from '../page';
import type { ChargerEvent, ChargerEventFilter, HistoryReader } from './history';

/**
 * A page of what a charger reported as events. Throws `not_found` when the charger is
 * unknown or another client's. The events of a deleted charger with the same id are not part of it.
 */
export async function readChargerEvents(
  deps: { readonly chargers: Pick<ChargerReader, 'findOwned'>; readonly history: Pick<HistoryReader, 'eventPage'> },
  owner: { readonly clientId: string; readonly chargerId: string },
  filter: ChargerEventFilter,
  page: PageRequest<'receivedAt'>,
): Promise<Page<ChargerEvent>> {
  const { incarnationId } = await readOwnedCharger(deps, owner);
  return deps.history.eventPage(incarnationId, filter, page);
}
