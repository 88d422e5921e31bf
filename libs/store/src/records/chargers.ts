// Lists of chargers and changes of their registration, by the APIs. What charger-state writes of them is in report-store.ts.
import type {
  Charger,
  ChargerFilter,
  ChargerLister,
  ChargerRegistrar,
  ChargerSortKey,
  RegistrationFields,
} from '@busbar/domain';
import { and, eq, gt, gte, lt, oneOf, or, type Filter, type Json, type Store } from '../port';
import { chargersCollection } from './collections';
import { groupsByNumber } from './groups';
import { createListPage } from './list-page';

const SORT_PATHS: Readonly<Record<ChargerSortKey, string>> = {
  chargerId: '_id',
  name: 'listed.name',
  createdAt: 'registered.createdAt',
};

/** The last code point: whatever begins with a prefix comes before the prefix and this. */
const LAST = '\u{10ffff}';

/** What lists search in and sort by without regard to case, kept beside the charger. */
export function listedKeys(chargerId: string, name: string): { readonly chargerId: string; readonly name: string } {
  return { chargerId: chargerId.toLowerCase(), name: name.toLowerCase() };
}

export function chargerListRecords(store: Store): ChargerLister & ChargerRegistrar {
  const chargers = store.collection(chargersCollection);
  const chargerPage = createListPage(chargers);
  return {
    list: (clientId, filter, page) =>
      chargerPage(chargerFilter(clientId, filter), { ...page, sortKey: SORT_PATHS[page.sortKey] }, '_id'),
    scan(clientId, { siteId, after, limit }) {
      const site = siteId === undefined ? [] : [eq('registered.siteId', siteId)];
      return chargers.find(and(eq('clientId', clientId), ...site, gt('_id', after)), { sort: [['_id', 1]], limit });
    },
    async countBySite(clientId, siteIds) {
      if (siteIds.length === 0) return new Map();
      const there = and(eq('clientId', clientId), oneOf('registered.siteId', siteIds));
      return groupsByNumber(chargers, 'registered.siteId', there);
    },
    async updateRegistration(from, fields, at) {
      // The revision moves with every change of the document, so that charger-state, which keeps documents in memory,
      // notices at its next compare-and-set.
      const set = { ...fieldsOf(from, fields), 'registered.updatedAt': at };
      return (await chargers.update(asRead(from), { set, inc: { 'registered.version': 1, revision: 1 } })) === 1;
    },
    remove: async (from) => (await chargers.delete(asRead(from), 1)) === 1,
  };
}

/** Records made before there was a version have none. */
function asRead({ chargerId, clientId, incarnationId, registered: { version = 0 } }: Charger): Filter {
  return and(
    eq('_id', chargerId),
    eq('clientId', clientId),
    eq('incarnationId', incarnationId),
    eq('registered.version', version === 0 ? null : version),
  );
}

function fieldsOf({ chargerId, registered }: Charger, fields: RegistrationFields): Record<string, Json> {
  const listed = Object.entries(listedKeys(chargerId, fields.name ?? registered.name));
  return {
    // Entities are JSON by construction; their interfaces only lack the index signature that says so.
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`registered.${name}`, value as Json])),
    ...Object.fromEntries(listed.map(([name, value]) => [`listed.${name}`, value])),
  };
}

function chargerFilter(clientId: string, wanted: ChargerFilter): Filter {
  const own = eq('clientId', clientId);
  const narrowed = narrowings(wanted);
  if (wanted.search === undefined) return and(own, ...narrowed);
  const prefix = wanted.search.toLowerCase();
  // Each alternative whole, so that each finds its own index.
  return or(
    ...['listed.chargerId', 'listed.name'].map((path) =>
      and(own, gte(path, prefix), lt(path, prefix + LAST), ...narrowed),
    ),
  );
}

function narrowings({ siteIds, manufacturer, model, state, activeConnection, ocppVersion }: ChargerFilter): Filter[] {
  return [
    ...(siteIds === undefined ? [] : [atSites(siteIds)]),
    ...(manufacturer === undefined ? [] : [eq('reported.boot.manufacturer', manufacturer)]),
    ...(model === undefined ? [] : [eq('reported.boot.model', model)]),
    ...(activeConnection === undefined ? [] : [eq('connection.active', activeConnection)]),
    ...(ocppVersion === undefined ? [] : [eq('connection.ocppVersion', ocppVersion)]),
    ...(state === undefined ? [] : inState(state)),
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
