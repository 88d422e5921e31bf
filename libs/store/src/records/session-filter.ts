import { tagKey, type SessionFilter } from '@busbar/domain';
import { and, eq, gte, lte, ne, oneOf, type Filter } from '../port';
import type { Alternatives } from './list-page';

/**
 * A client's sessions by a filter, as alternatives each of which one index serves, in order too: equalities, then the range
 * of time.
 */
export function sessionFilters(clientId: string, wanted: SessionFilter): Alternatives {
  const { parts, rest } = split(wanted);
  const narrowed = [...rest, ...ranges(wanted)];
  const searches = wanted.search === undefined ? [[]] : searchesFor(wanted.search);
  return parts.flatMap((part) =>
    searches.map((search) => and(eq('clientId', clientId), ...part, ...search, ...narrowed)),
  );
}

/** One alternative for each of the named chargers, else tags, else sites; what is named beside them only narrows. */
function split({ chargerIds, siteIds, idTags, state }: SessionFilter): { parts: readonly Filter[][]; rest: Filter[] } {
  const named = [
    { path: 'chargerId', values: chargerIds },
    { path: 'idTagKey', values: idTags?.map(tagKey) },
    { path: 'siteId', values: siteIds },
  ].flatMap(({ path, values }) =>
    values === undefined ? [] : [{ path, values: [...new Set<string | number>(values)] }],
  );
  const [first, ...others] = named;
  const rest = [
    ...others.map(({ path, values }) => oneOf(path, values)),
    ...(state === undefined ? [] : [eq('state', state)]),
  ];
  return { parts: first === undefined ? [[]] : first.values.map((value) => [eq(first.path, value)]), rest };
}

function ranges({ startedFrom, startedTo, endedFrom, endedTo }: SessionFilter): Filter[] {
  return [
    ...(startedFrom === undefined ? [] : [gte('startTime', startedFrom)]),
    ...(startedTo === undefined ? [] : [lte('startTime', startedTo)]),
    ...(endedFrom === undefined ? [] : [gte('endTime', endedFrom)]),
    ...(endedTo === undefined ? [] : [lte('endTime', endedTo)]),
  ];
}

/** Ways to be what is searched for, of which a session is one at most. */
function searchesFor(text: string): Filter[][] {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  const isNumber = number === undefined ? [] : [eq('transactionId', number)];
  const isNotNumber = number === undefined ? [] : [ne('transactionId', number)];
  return [
    ...isNumber.map((filter) => [filter]),
    [eq('chargerId', text), ...isNotNumber],
    [eq('idTagKey', tagKey(text)), ne('chargerId', text), ...isNotNumber],
  ];
}
