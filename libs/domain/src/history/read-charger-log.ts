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
  const found = { ...filter, ...timeOfCommand(filter), includeHeartbeats };
  return deps.history.logPage(charger.incarnationId, found, page);
}

/** The clocks of the processes differ by less. */
const CLOCKS_MS = 60_000;

/** No command takes as long, and a later answer is matched with none. */
const MAX_COMMAND_MS = 3_600_000;

/** A CALL is recorded soon after its command began, which the id says: only the log of that time is searched. */
function timeOfCommand({ commandId, from, to }: LogFilter): Pick<LogFilter, 'from' | 'to'> {
  const beganMs = commandId === undefined ? undefined : timeOfId(commandId);
  if (beganMs === undefined) return {};
  const began = toTimestamp(new Date(Math.max(0, beganMs - CLOCKS_MS)));
  const ended = toTimestamp(new Date(beganMs + MAX_COMMAND_MS));
  return {
    from: from === undefined || from < began ? began : from,
    to: to === undefined || to > ended ? ended : to,
  };
}
