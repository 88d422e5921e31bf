export { deleteSite, updateSite } from './change-site';
export type { ChangeSiteDeps, OwnedSite, SiteChange } from './change-site';
export { createSite } from './create-site';
export type { CreateSiteDeps } from './create-site';
export { listSites, placeNewSite, placeSites, readSite } from './place-site';
export type { PlaceSiteDeps, PlacedSite } from './place-site';
export { readSiteTree } from './read-site-tree';
export type { ReadSiteTreeDeps, SiteNode, SiteTreeQuery } from './read-site-tree';
export { GROUP_TYPES, SITE_DEFAULTS, SITE_SORT_KEYS, siteVersion } from './site';
export type {
  GroupType,
  Site,
  SiteFilter,
  SiteInput,
  SitePatch,
  SiteReader,
  SiteSortKey,
  SiteTree,
  SiteTreeChange,
  SiteWriter,
} from './site';
export { MAX_SITES, withSubsites } from './site-tree';
