// Sites, and the numbered changes of each client's tree.
import type { Records } from '@busbar/domain';
import type { Site, SiteFilter, SitePatch, SiteSortKey, SiteTree } from '@busbar/domain/sites';
import { and, contains, eq, gte, oneOf, or, type Filter, type Json, type Store, type Update } from '../../port';
import { asFields, asJson } from '../as-json';
import { changedAt, type Now } from '../change-time';
import { collections } from '../collections';
import { createListPage } from '../lists/list-page';
import { groupsByNumber } from './groups';

const SORT_PATHS: Readonly<Record<SiteSortKey, string>> = {
  id: 'siteId',
  name: 'listed.name',
  city: 'city',
  country: 'country',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};
const SEARCHED = ['name', 'publicName', 'city', 'externalId'] as const;

export function siteRecords(store: Store, now: Now): Records['sites'] {
  const sites = store.collection(collections.sites);
  const counters = store.collection(collections.counters);
  const sitePage = createListPage(sites);
  const own = (clientId: string, siteId: number) => and(eq('_id', String(siteId)), eq('clientId', clientId));
  return {
    ...siteTrees(store, now),
    async find(clientId, siteId): Promise<Site | undefined> {
      const site = await sites.get(String(siteId));
      return site?.clientId === clientId ? site : undefined;
    },
    async findMany(clientId, siteIds) {
      if (siteIds.length === 0) return [];
      const found = await sites.find(oneOf('_id', siteIds.map(String)));
      return found.filter((site) => site.clientId === clientId);
    },
    async findOldest(clientId) {
      const [site] = await sites.find(eq('clientId', clientId), { sort: [['siteId', 1]], limit: 1 });
      return site;
    },
    listAll: (clientId, limit) => sites.find(eq('clientId', clientId), { sort: [['siteId', 1]], limit }),
    list: (clientId, filter, page) =>
      sitePage(siteFilter(clientId, filter), { ...page, sortKey: SORT_PATHS[page.sortKey] }, 'siteId'),
    // Grouped, not found: the index covers it, and no document is read.
    async childIds(clientId, parentSiteIds) {
      if (parentSiteIds.length === 0) return [];
      const below = and(eq('clientId', clientId), oneOf('parentSiteId', parentSiteIds));
      return [...(await groupsByNumber(sites, 'siteId', below)).keys()];
    },
    async idsByExternalId(clientId, externalId) {
      const named = and(eq('clientId', clientId), eq('externalId', externalId));
      return [...(await groupsByNumber(sites, 'siteId', named)).keys()];
    },
    async countChildren(clientId, siteIds) {
      if (siteIds.length === 0) return new Map();
      return groupsByNumber(sites, 'parentSiteId', and(eq('clientId', clientId), oneOf('parentSiteId', siteIds)));
    },
    nextId: () => counters.incrementAndGet('siteId', 'value'),
    async insert(site) {
      await sites.insert({ _id: String(site.siteId), ...site, listed: { name: site.name.toLowerCase() } });
    },
    async update(from, fields, at) {
      const filter = and(own(from.clientId, from.siteId), atCount('version', from.version ?? 0));
      return (await sites.update(filter, change(fields, at))) === 1;
    },
    arrive: async (clientId, siteId) => (await sites.update(own(clientId, siteId), { inc: { arrivals: 1 } })) === 1,
    async withdraw(site) {
      await sites.delete(own(site.clientId, site.siteId), 1);
    },
  };
}

type TreeWriter = Pick<Records['sites'], 'readTree' | 'announce' | 'make' | 'finish'>;

function siteTrees(store: Store, now: Now): TreeWriter {
  const sites = store.collection(collections.sites);
  const trees = store.collection(collections.siteTrees);
  return {
    async readTree(clientId): Promise<SiteTree> {
      const tree = await trees.get(clientId);
      if (tree !== undefined) return { changes: tree.changes, pending: tree.pending };
      await trees.insert({ _id: clientId, changes: 0, pending: null });
      return { changes: 0, pending: null };
    },
    async announce(clientId, seen, pending) {
      const unchanged = and(eq('_id', clientId), eq('changes', seen.changes), eq('pending', null));
      const set = { changes: seen.changes + 1, pending: asJson(pending) };
      return (await trees.update(unchanged, { set })) === 1;
    },
    async make(clientId, number, { siteId, version, arrivals, fields }) {
      const site = and(eq('_id', String(siteId)), eq('clientId', clientId), atCount('version', version));
      if (fields === null) return (await sites.delete(and(site, atCount('arrivals', arrivals)), 1)) === 1;
      // Executed perhaps long after it was announced, by another process: the time is that of the write.
      return (await sites.update(site, change(fields, now(), { treeChange: number }))) === 1;
    },
    async finish(clientId, number) {
      await trees.update(and(eq('_id', clientId), eq('changes', number)), { set: { pending: null } });
    },
  };
}

function change(fields: SitePatch, at: string, more: Readonly<Record<string, Json>> = {}): Update {
  const name = fields.name === undefined ? {} : { 'listed.name': fields.name.toLowerCase() };
  return { set: { ...asFields(fields), ...name, ...more }, inc: { version: 1 }, ...changedAt(at) };
}

/** 0 is stored as absent. */
function atCount(path: string, count: number): Filter {
  return eq(path, count === 0 ? null : count);
}

function siteFilter(clientId: string, wanted: SiteFilter): Filter {
  const { country, city, parentSiteId, onlyRoots, search, updatedSince } = wanted;
  return and(
    eq('clientId', clientId),
    ...(country === undefined ? [] : [eq('country', country)]),
    ...(city === undefined ? [] : [eq('city', city)]),
    ...(parentSiteId === undefined ? [] : [eq('parentSiteId', parentSiteId)]),
    ...(onlyRoots === true ? [eq('parentSiteId', null)] : []),
    ...(updatedSince === undefined ? [] : [gte('updatedAt', updatedSince)]),
    ...(search === undefined ? [] : [or(...SEARCHED.map((path) => contains(path, search)))]),
  );
}
