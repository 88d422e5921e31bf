import { tagKey, type SessionFilter } from '@busbar/domain';
import { and, eq, gte, lt, lte, oneOf, or, type Filter } from '../port';

/** After everything that begins with the prefix: no text of ours holds this character, and it sorts behind all that do. */
const LAST = '\uffff';

/** A client's sessions by a filter, in a form that the declared indexes serve. */
export function sessionFilter(clientId: string, wanted: SessionFilter): Filter {
  const own = eq('clientId', clientId);
  const narrowed = narrowings(wanted);
  if (wanted.search === undefined) return and(own, ...narrowed);
  // Each alternative whole, so that each finds its own index.
  return or(...searchesFor(wanted.search).map((search) => and(own, search, ...narrowed)));
}

function narrowings(wanted: SessionFilter): Filter[] {
  const { startedFrom, startedTo, endedFrom, endedTo, chargerIds, siteIds, idTags, state } = wanted;
  return [
    ...(chargerIds === undefined ? [] : [oneOf('chargerId', chargerIds)]),
    ...(siteIds === undefined ? [] : [oneOf('siteId', siteIds)]),
    ...(idTags === undefined ? [] : [oneOf('idTagKey', idTags.map(tagKey))]),
    ...(state === undefined ? [] : [eq('state', state)]),
    ...(startedFrom === undefined ? [] : [gte('startTime', startedFrom)]),
    ...(startedTo === undefined ? [] : [lte('startTime', startedTo)]),
    ...(endedFrom === undefined ? [] : [gte('endTime', endedFrom)]),
    ...(endedTo === undefined ? [] : [lte('endTime', endedTo)]),
  ];
}

function searchesFor(text: string): Filter[] {
  const number = /^\d{1,10}$/.test(text) ? [eq('transactionId', Number(text))] : [];
  return [...number, beginsWith('chargerId', text), beginsWith('idTagKey', tagKey(text))];
}

/** As a range, which an index serves. */
export function beginsWith(path: string, prefix: string): Filter {
  return and(gte(path, prefix), lt(path, prefix + LAST));
}
