import type { Site, SiteReader, SiteTree, SiteWriter } from '../sites/site';

type StoredSites = Omit<SiteReader, 'listAll' | 'idsByExternalId'> & SiteWriter;

/** The sites and the tree of one client of a test in memory, with the comparisons before each write that a store makes. */
export function storedSites(...sites: readonly Site[]): StoredSites & { readonly all: Map<number, Site> } {
  const all = new Map(sites.map((site) => [site.siteId, site]));
  let tree: SiteTree = { changes: 0, pending: null };
  const own = (clientId: string): Site[] => [...all.values()].filter((site) => site.clientId === clientId);
  const below = (clientId: string, ids: readonly number[]): Site[] =>
    own(clientId).filter(({ parentSiteId }) => parentSiteId !== null && ids.includes(parentSiteId));
  return {
    all,
    find: (clientId, siteId) => Promise.resolve(own(clientId).find((site) => site.siteId === siteId)),
    findMany: (clientId, siteIds) => Promise.resolve(own(clientId).filter(({ siteId }) => siteIds.includes(siteId))),
    findOldest: (clientId) => Promise.resolve(own(clientId).sort((a, b) => a.siteId - b.siteId)[0]),
    list: (clientId, _filter, { page, limit }) => {
      const items = own(clientId);
      return Promise.resolve({ items: items.slice((page - 1) * limit, page * limit), total: items.length });
    },
    childIds: (clientId, ids) => Promise.resolve(below(clientId, ids).map(({ siteId }) => siteId)),
    countChildren: (clientId, ids) =>
      Promise.resolve(new Map(ids.map((siteId) => [siteId, below(clientId, [siteId]).length]))),
    nextId: () => Promise.resolve(Math.max(0, ...all.keys()) + 1),
    insert: (site) => {
      all.set(site.siteId, site);
      return Promise.resolve();
    },
    update: (from, fields, updatedAt) => {
      const stored = all.get(from.siteId);
      if (stored === undefined || stored.version !== from.version) return Promise.resolve(false);
      all.set(from.siteId, { ...stored, ...fields, updatedAt, version: (from.version ?? 0) + 1 });
      return Promise.resolve(true);
    },
    arrive: (clientId, siteId) => {
      const stored = own(clientId).find((site) => site.siteId === siteId);
      if (stored !== undefined) all.set(siteId, { ...stored, arrivals: (stored.arrivals ?? 0) + 1 });
      return Promise.resolve(stored !== undefined);
    },
    readTree: () => Promise.resolve(tree),
    announce: (_clientId, seen, pending) => {
      if (tree.changes !== seen.changes || tree.pending !== null) return Promise.resolve(false);
      tree = { changes: seen.changes + 1, pending };
      return Promise.resolve(true);
    },
    make: (_clientId, number, { siteId, version, arrivals, fields }) => {
      const stored = all.get(siteId);
      const isStill = stored?.version === version && (stored.arrivals ?? 0) === arrivals;
      if (stored === undefined || !isStill || tree.changes !== number) return Promise.resolve(false);
      if (fields === null) all.delete(siteId);
      else all.set(siteId, { ...stored, ...fields, version: version + 1, treeChange: number });
      return Promise.resolve(true);
    },
    finish: (_clientId, number) => {
      if (tree.changes === number) tree = { changes: number, pending: null };
      return Promise.resolve();
    },
    withdraw: ({ siteId }) => {
      all.delete(siteId);
      return Promise.resolve();
    },
  };
}
