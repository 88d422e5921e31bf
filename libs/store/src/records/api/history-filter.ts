import { firstIdAt } from '@busbar/core';
import type { ChargerEventFilter, LogFilter, StateFilter } from '@busbar/domain/history';
import { and, contains, eq, gte, lt, ne, oneOf, or, type Filter } from '../../port';
import type { Alternatives } from '../lists/find-together';

/** More sites than this are one alternative, sorted by the store. */
const MAX_ALTERNATIVES = 200;

/** A charger's log. Ids begin with their time, so a range of time is a range of ids. */
export function logFilter(incarnationId: string, wanted: LogFilter): Filter {
  const { from, to, actions, includeHeartbeats, search, commandId } = wanted;
  return and(
    eq('incarnationId', incarnationId),
    ...(from === undefined ? [] : [gte('_id', firstIdAt(Date.parse(from)))]),
    ...(to === undefined ? [] : [lt('_id', firstIdAt(Date.parse(to) + 1))]),
    ...(actions === undefined ? [] : [oneOf('action', actions)]),
    ...(commandId === undefined ? [] : [eq('commandId', commandId)]),
    ...(includeHeartbeats ? [] : [ne('action', 'Heartbeat')]),
    ...(search === undefined ? [] : [or(contains('request', search), contains('response', search))]),
  );
}

/** A charger's events. Ids begin with the time of receipt, so a range of time is a range of ids. */
export function eventFilter(incarnationId: string, wanted: ChargerEventFilter): Filter {
  const { from, to, component, severities } = wanted;
  return and(
    eq('incarnationId', incarnationId),
    ...(from === undefined ? [] : [gte('_id', firstIdAt(Date.parse(from)))]),
    ...(to === undefined ? [] : [lt('_id', firstIdAt(Date.parse(to)))]),
    ...(component === undefined ? [] : [eq('component', component.toLowerCase())]),
    ...(severities === undefined ? [] : [oneOf('severity', severities)]),
  );
}

/** A client's state changes, as alternatives that one index serves each: one for each named charger, else site. */
export function stateFilters(clientId: string, wanted: StateFilter): Alternatives {
  const { from, to, chargerIds, siteIds, socketIds } = wanted;
  const common = [
    ...(chargerIds === undefined || siteIds === undefined ? [] : [oneOf('siteId', siteIds)]),
    ...(socketIds === undefined ? [] : [oneOf('socketId', socketIds)]),
    gte('at', from),
    lt('at', to),
  ];
  const own = eq('clientId', clientId);
  if (chargerIds !== undefined) return [...new Set(chargerIds)].map((id) => and(own, eq('chargerId', id), ...common));
  if (siteIds !== undefined && siteIds.length > MAX_ALTERNATIVES)
    return [and(own, oneOf('siteId', siteIds), ...common)];
  if (siteIds !== undefined) return [...new Set(siteIds)].map((id) => and(own, eq('siteId', id), ...common));
  return [and(own, ...common)];
}
