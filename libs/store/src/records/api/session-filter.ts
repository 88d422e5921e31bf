import { type SessionFilter, type SessionSortKey } from '@busbar/domain/sessions';
import { TAG_REFUSALS, tagKey } from '@busbar/domain/tags';
import { and, eq, gte, ne, oneOf, or, type Filter } from '../../port';
import type { Alternatives } from '../lists/find-together';

/** As `wasRefused`: a session without a verdict counts as accepted. */
const VERDICTS: Readonly<Record<'accepted' | 'refused', readonly Filter[]>> = {
  accepted: TAG_REFUSALS.map((verdict) => ne('verdict', verdict)),
  refused: [oneOf('verdict', TAG_REFUSALS)],
};

/**
 * A client's sessions by a filter, as alternatives that one index serves each, in order: equalities, then the range of
 * time.
 */
export function sessionFilters(clientId: string, wanted: SessionFilter, sortKey: SessionSortKey): Alternatives {
  if (sortKey === 'updatedAt') return [changesFilter(clientId, wanted)];
  const { parts, rest } = split(wanted);
  const restricted = [...rest, ...rangesFor(wanted, sortKey), ...sinceFilters(wanted)];
  const searches = wanted.search === undefined ? [[]] : searchesFor(wanted.search);
  return parts.flatMap((part) =>
    searches.map((search) => and(eq('clientId', clientId), ...part, ...search, ...restricted)),
  );
}

/**
 * For the order of change: one filter, whose index is walked from the time on. Who follows changes asks for what is new, of
 * which other conditions leave out a part.
 */
function changesFilter(clientId: string, wanted: SessionFilter): Filter {
  const { startedFrom, startedTo, endedFrom, endedTo, state, search } = wanted;
  return and(
    eq('clientId', clientId),
    ...sinceFilters(wanted),
    ...namedValues(wanted).map(({ path, values }) => oneOf(path, values)),
    ...(state === undefined ? [] : [oneOf('state', [state])]),
    ...verdictFilters(wanted),
    ...[...rangeOf('startTime', startedFrom, startedTo), ...rangeOf('endTime', endedFrom, endedTo)].map(besidesIndexes),
    ...(search === undefined ? [] : [or(...searchesFor(search).map((each) => and(...each)))]),
  );
}

function verdictFilters({ authorization, withoutRefused }: SessionFilter): readonly Filter[] {
  return [
    ...(authorization === undefined ? [] : VERDICTS[authorization]),
    ...(withoutRefused === true ? [ne('state', 'refused')] : []),
  ];
}

function sinceFilters({ updatedSince }: SessionFilter): Filter[] {
  return updatedSince === undefined ? [] : [gte('updatedAt', updatedSince)];
}

/**
 * One alternative for each named charger, else tag, else site. Further fields only narrow and are ranges: SQLite might
 * use their index, and most sessions share one state.
 */
function split(wanted: SessionFilter): { parts: readonly Filter[][]; rest: Filter[] } {
  const { state, search, authorization } = wanted;
  const [first, ...others] = namedValues(wanted);
  const isNamed = first !== undefined || search !== undefined;
  if (!isNamed && state === undefined && authorization === 'refused') {
    return { parts: TAG_REFUSALS.map((verdict) => [eq('verdict', verdict)]), rest: [] };
  }
  const rest = [
    ...others.map(({ path, values }) => oneOf(path, values)),
    ...(state === undefined ? [] : [isNamed ? oneOf('state', [state]) : eq('state', state)]),
    ...verdictFilters(wanted),
  ];
  return { parts: first === undefined ? [[]] : first.values.map((value) => [eq(first.path, value)]), rest };
}

/** The fields whose values are named, the most selective one first. */
function namedValues({ commandId, chargerIds, siteIds, idTags }: SessionFilter) {
  return [
    { path: 'commandId', values: commandId === undefined ? undefined : [commandId] },
    { path: 'chargerId', values: chargerIds },
    { path: 'idTagKey', values: idTags?.map(tagKey) },
    { path: 'siteId', values: siteIds },
  ].flatMap(({ path, values }) =>
    values === undefined ? [] : [{ path, values: [...new Set<string | number>(values)] }],
  );
}

/**
 * With few alternatives, a time range outside the sort order is kept from the indexes. SQLite prefers its two bounds to
 * one charger, and walked all sessions of that time for each charger.
 */
function rangesFor(wanted: SessionFilter, sortKey: SessionSortKey): Filter[] {
  const { startedFrom, startedTo, endedFrom, endedTo, search } = wanted;
  const started = rangeOf('startTime', startedFrom, startedTo);
  const ended = rangeOf('endTime', endedFrom, endedTo);
  const isNamed = namedValues(wanted).length > 0 || search !== undefined;
  return [
    ...(isNamed && sortKey !== 'startTime' ? started.map(besidesIndexes) : started),
    ...(isNamed && sortKey !== 'endTime' ? ended.map(besidesIndexes) : ended),
  ];
}

type Bound = Filter & { readonly op: 'gte' | 'lte' };

function rangeOf(path: string, from: string | undefined, to: string | undefined): Bound[] {
  return [
    ...(from === undefined ? [] : [{ op: 'gte', path, value: from } as const]),
    ...(to === undefined ? [] : [{ op: 'lte', path, value: to } as const]),
  ];
}

/** Equals the bound, in a form for which no store uses an index that does not begin with the path. */
function besidesIndexes(bound: Bound): Filter {
  return or(bound, eq(bound.path, bound.value));
}

/** Alternatives of a search, of which a session matches one at most. */
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
