import { timeOfId } from '@busbar/core';
import type { ChargerReader } from '../chargers/charger';
import type { HistoryReader, LogFilter, LogRow, LogSortKey } from './history';
import type { Page, PageRequest } from '../page';
import { toTimestamp } from '../timestamp';
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
  const found = { ...filter, ...sinceCommand(filter), includeHeartbeats };
  return deps.history.logPage(charger.incarnationId, found, page);
}

/** The clocks of the processes differ by less. */
const CLOCKS_MS = 60_000;

/** A CALL is recorded after its command began, which the id says: the log of the time before is not searched. */
function sinceCommand({ commandId, from }: LogFilter): Pick<LogFilter, 'from'> {
  const beganMs = commandId === undefined ? undefined : timeOfId(commandId);
  if (beganMs === undefined) return {};
  const began = toTimestamp(new Date(Math.max(0, beganMs - CLOCKS_MS)));
  return { from: from === undefined || from < began ? began : from };
}
