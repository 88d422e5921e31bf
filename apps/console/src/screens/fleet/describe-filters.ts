import { ocppVersionOf } from '../../parts/format';
import { texts } from '../../texts';
import type { FleetSearch } from './fleet-search';

/** The filters in words, for "nothing found". */
export function describeFilters(search: FleetSearch): readonly (string | false)[] {
  return [
    search.search !== undefined && `“${search.search}”`,
    search.state !== undefined && `${texts.fleet.state}: ${texts.states[search.state]}`,
    search.connected !== undefined && (search.connected ? texts.fleet.onlyConnected : texts.fleet.notConnected),
    search.site !== undefined && `${texts.fleet.site} ${String(search.site)}`,
    search.version !== undefined && ocppVersionOf(search.version),
    search.manufacturer !== undefined && `${texts.fleet.manufacturer}: ${search.manufacturer}`,
    search.model !== undefined && `${texts.fleet.model}: ${search.model}`,
  ];
}
