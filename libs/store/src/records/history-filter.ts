import { firstIdAt } from '@busbar/core';
import type { LogFilter, StateFilter } from '@busbar/domain';
import { and, contains, eq, gte, lt, ne, oneOf, or, type Filter } from '../port';

/** A charger's log. Ids begin with their time, so a range of time is a range of ids. */
export function logFilter(incarnationId: string, wanted: LogFilter): Filter {
  const { from, to, actions, includeHeartbeats, search } = wanted;
  return and(
    eq('incarnationId', incarnationId),
    ...(from === undefined ? [] : [gte('_id', firstIdAt(Date.parse(from)))]),
    ...(to === undefined ? [] : [lt('_id', firstIdAt(Date.parse(to) + 1))]),
    ...(actions === undefined ? [] : [oneOf('action', actions)]),
    ...(includeHeartbeats ? [] : [ne('action', 'Heartbeat')]),
    ...(search === undefined ? [] : [or(contains('request', search), contains('response', search))]),
  );
}

/** A client's state changes, in a form that the declared indexes serve. */
export function stateFilter(clientId: string, wanted: StateFilter): Filter {
  const { from, to, chargerIds, siteIds, socketIds } = wanted;
  return and(
    eq('clientId', clientId),
    ...(chargerIds === undefined ? [] : [oneOf('chargerId', chargerIds)]),
    ...(siteIds === undefined ? [] : [oneOf('siteId', siteIds)]),
    ...(socketIds === undefined ? [] : [oneOf('socketId', socketIds)]),
    gte('at', from),
    lt('at', to),
  );
}
