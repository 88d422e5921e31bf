// Lists of chargers and changes of their registration, for the APIs. report-store.ts has charger-state's writes.
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '@busbar/core';
import {
  socketTally,
  type Charger,
  type ChargerFilter,
  type ChargerLister,
  type ChargerRegistrar,
  type ChargerSortKey,
  type RegistrationFields,
} from '@busbar/domain/chargers';
import {
  and,
  eq,
  gt,
  gte,
  oneOf,
  or,
  type Collection,
  type Document,
  type Filter,
  type Json,
  type Store,
} from '../../port';
import { createEventAppender, type EventAppender } from '../append-event';
import { asJson } from '../as-json';
import { beginsWith } from '../lists/begins-with';
import { changedAt } from '../change-time';
import { putDeletedCharger } from '../charger-state/deleted-chargers';
import { putDeletedPushedCharger } from '../deleted-pushed-chargers';
import { collections } from '../collections';
import { createConnectionHistoryWriter } from '../connection-history';
import { groupsByNumber } from './groups';
import { createListPage } from '../lists/list-page';
import { createSocketCounts } from './socket-counts';

const SORT_PATHS: Readonly<Record<ChargerSortKey, string>> = {
  chargerId: '_id',
  name: 'listed.name',
  createdAt: 'registered.createdAt',
  updatedAt: 'updatedAt',
};

/** Up to this number of matches in 100,000, sorting them is faster than walking along the order. */
const FEW = 2_000;

type Chargers = Pick<Collection<Charger & Document>, 'count'>;

/** Lower-case keys by which lists search and sort. */
export function listedKeys(chargerId: string, name: string): { readonly chargerId: string; readonly name: string } {
  return { chargerId: chargerId.toLowerCase(), name: name.toLowerCase() };
}

/** A charger whose registration has the version that was read; 0 is stored as absent. */
export function asRead(charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'registered'>): Filter {
  const { version = 0 } = charger.registered;
  return and(sameIncarnation(charger), eq('registered.version', version === 0 ? null : version));
}

/** An incarnation belongs to one client. */
export function sameIncarnation({ chargerId, incarnationId }: Pick<Charger, 'chargerId' | 'incarnationId'>): Filter {
  return and(eq('_id', chargerId), eq('incarnationId', incarnationId));
}

export function chargerListRecords(
  store: Store,
  events: EventAppender = createEventAppender(systemClock),
): ChargerLister & ChargerRegistrar {
  const chargers = store.collection(collections.chargers);
  const deviceStates = store.collection(collections.deviceStates);
  const deviceModels = store.collection(collections.deviceModels);
  const eventStreams = store.collection(collections.eventStreams);
  const connections = createConnectionHistoryWriter(store);
  const chargerPage = createListPage(chargers);
  return {
    async list(clientId, filter, page) {
      const sortPath = SORT_PATHS[page.sortKey];
      const { found, counted } = await asked(chargers, { clientId, sortPath }, filter);
      return chargerPage(found, { ...page, sortKey: sortPath }, '_id', counted);
    },
    scan(clientId, { siteId, after, limit }) {
      const site = siteId === undefined ? [] : [eq('registered.siteId', siteId)];
      return chargers.find(and(eq('clientId', clientId), ...site, gt('_id', after)), { sort: [['_id', 1]], limit });
    },
    findMany: (clientId, chargerIds) => chargers.find(and(oneOf('_id', chargerIds), eq('clientId', clientId))),
    async countBySite(clientId, siteIds) {
      if (siteIds.length === 0) return new Map();
      const there = and(eq('clientId', clientId), oneOf('registered.siteId', siteIds));
      return groupsByNumber(chargers, 'registered.siteId', there);
    },
    countSockets: createSocketCounts(chargers),
    async updateRegistration(from, fields, at) {
      // Every change raises the revision, so that charger-state, which caches documents, notices at its next
      // compare-and-set.
      const event = events.append(
        { type: 'charger.updated', data: { changed: changedFields(from, fields) } },
        from.outbox,
      );
      const set = { ...event.set, ...fieldsOf(from, fields), 'registered.updatedAt': at };
      const counted = { inc: { ...event.inc, 'registered.version': 1, revision: 1 }, ...changedAt(at) };
      const { sockets } = fields;
      // The tally follows from the registration and the reports, so neither may have changed since the read.
      const isUpdated =
        sockets === undefined
          ? (await chargers.update(asRead(from), { set, ...counted })) === 1
          : (await chargers.update(and(asRead(from), eq('revision', from.revision)), {
              set: { ...set, 'reported.tally': tallyWith(from, sockets) },
              ...counted,
            })) === 1;
      if (isUpdated) events.announce([from]);
      return isUpdated;
    },
    async remove(from) {
      if (events.isOn) {
        await putDeletedCharger(store, from, events.now());
        await putDeletedPushedCharger(store, from, events.now());
      }
      // What the row was copied from: every event that the record had is in it.
      const same = events.isOn ? and(asRead(from), eq('revision', from.revision)) : asRead(from);
      if ((await chargers.delete(same, 1)) === 0) return false;
      events.announce([from]);
      await deviceStates.delete(sameIncarnation(from), 1);
      await deviceModels.delete(sameIncarnation(from), 1);
      await eventStreams.delete(sameIncarnation(from), 1);
      await connections.drop(from.incarnationId);
      return true;
    },
  };
}

function tallyWith({ registered, reported }: Charger, sockets: Charger['registered']['sockets']): string {
  return socketTally({ registered: { ...registered, sockets }, reported });
}

/** The names of the fields with another value. */
function changedFields({ registered }: Charger, fields: RegistrationFields): string[] {
  const before: Readonly<Record<string, unknown>> = { ...registered };
  return Object.entries(fields).flatMap(([name, value]) => (isDeepStrictEqual(value, before[name]) ? [] : [name]));
}

function fieldsOf({ chargerId, registered }: Charger, fields: RegistrationFields): Record<string, Json> {
  const listed = Object.entries(listedKeys(chargerId, fields.name ?? registered.name));
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`registered.${name}`, asJson(value)])),
    ...Object.fromEntries(listed.map(([name, value]) => [`listed.${name}`, value])),
  };
}

/** A filter in a form that finds fast, and one that counts fast. */
interface Asked {
  readonly found: Filter;
  readonly counted: Filter;
}

/**
 * Matches of two indexes are merged and sorted, which is fast for few and slow for many. For many, walking along the
 * order is faster. A prefix of all ids, such as a company's, matches too many.
 */
async function asked(
  chargers: Chargers,
  { clientId, sortPath }: { readonly clientId: string; readonly sortPath: string },
  wanted: ChargerFilter,
): Promise<Asked> {
  const own = eq('clientId', clientId);
  const restricted = restrictions(wanted);
  const all = same(and(own, ...restricted));
  if (wanted.search === undefined) return all;
  const prefix = wanted.search.toLowerCase();
  const searched = [SORT_PATHS.name, 'listed.chargerId'].map((path) => {
    return { path, range: beginsWith(path, prefix) };
  });
  const ranges = searched.map(({ range }) => range);
  const counts = await Promise.all(ranges.map((range) => chargers.count(and(own, range))));
  // Each alternative is complete, so that each finds its own index.
  const counted = or(...ranges.map((range) => and(own, range, ...restricted)));
  if (counts.reduce((sum, count) => sum + count) <= FEW) return same(counted);
  if (counts.includes(await chargers.count(own))) return all;
  const [only, ...more] = searched.filter((_each, i) => (counts[i] ?? 0) > 0);
  // Only the names match and they are the order: one range of it is walked.
  if (only !== undefined && more.length === 0 && only.path === sortPath)
    return same(and(own, only.range, ...restricted));
  return { found: and(own, or(...ranges), ...restricted), counted };
}

function same(filter: Filter): Asked {
  return { found: filter, counted: filter };
}

function restrictions(wanted: ChargerFilter): Filter[] {
  const { siteIds, manufacturer, model, state, activeConnection, ocppVersion, updatedSince } = wanted;
  // A site has few chargers. Other equalities become ranges: SQLite might use their index and read every charger of a
  // make.
  const is = (path: string, value: string): Filter => (siteIds?.length === 1 ? oneOf(path, [value]) : eq(path, value));
  return [
    ...(siteIds === undefined ? [] : [atSites(siteIds)]),
    ...(manufacturer === undefined ? [] : [is('reported.boot.manufacturer', manufacturer)]),
    ...(model === undefined ? [] : [is('reported.boot.model', model)]),
    ...(activeConnection === undefined ? [] : [eq('connection.active', activeConnection)]),
    ...(ocppVersion === undefined ? [] : [is('connection.ocppVersion', ocppVersion)]),
    ...(state === undefined ? [] : inState(state)),
    ...(updatedSince === undefined ? [] : [gte('updatedAt', updatedSince)]),
  ];
}

function atSites(siteIds: readonly number[]): Filter {
  const [only, ...more] = siteIds;
  return only !== undefined && more.length === 0 ? eq('registered.siteId', only) : oneOf('registered.siteId', siteIds);
}

function inState(state: NonNullable<ChargerFilter['state']>): Filter[] {
  if (state === 'Offline') return [eq('connection.active', false)];
  return [eq('connection.active', true), eq('reported.ownState', state)];
}
