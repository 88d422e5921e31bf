import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

export const GROUP_TYPES = ['SUB_CPO', 'SITE', 'SUB_SITE', 'CIRCUIT', 'OTHER'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

/** What a client may say of a site. */
export interface SiteInput {
  readonly name: string;
  readonly publicName: string | null;
  readonly externalId: string | null;
  readonly parentSiteId: number | null;
  readonly groupType: GroupType;
  readonly streetAddress: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timezone: string | null;
  readonly isPublicSite: boolean;
  readonly parkingType: string | null;
  readonly tags: readonly string[];
  readonly notes: string | null;
}

/** What a site has where its owner said nothing, or takes back what he said. */
export const SITE_DEFAULTS: Omit<SiteInput, 'name'> = {
  publicName: null,
  externalId: null,
  parentSiteId: null,
  groupType: 'SITE',
  streetAddress: null,
  city: null,
  postalCode: null,
  country: null,
  latitude: null,
  longitude: null,
  timezone: null,
  isPublicSite: false,
  parkingType: null,
  tags: [],
  notes: null,
};

/** A place that chargers belong to (the older generation's group). */
export interface Site extends SiteInput {
  /** Minted by the service: one integer, the same in both generations. */
  readonly siteId: number;
  readonly clientId: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Grows with every change by the owner; absent before the first one of records that were made without it. */
  readonly version?: number;
  /** Grows with everything that is put into the site: a deletion that found it empty notices. */
  readonly arrivals?: number;
  /** The number of the tree change that was the last one to write this site. */
  readonly treeChange?: number;
}

/** For lost updates: changes with whatever the owner can change of the site, and with nothing else. */
export function siteVersion(site: Site): string {
  return `${String(site.siteId)}-${String(site.version ?? 0)}`;
}

export const SITE_SORT_KEYS = ['id', 'name', 'city', 'country', 'createdAt'] as const;
export type SiteSortKey = (typeof SITE_SORT_KEYS)[number];

/** Which of a client's sites. What is absent does not narrow. */
export interface SiteFilter {
  readonly country?: string | undefined;
  readonly city?: string | undefined;
  /** The sites right below this one. */
  readonly parentSiteId?: number | undefined;
  /** Those that have no parent: none, with a parentSiteId beside it. False does not narrow. */
  readonly onlyRoots?: boolean | undefined;
  /** A part of the name, of the public name, of the city or of the external id, without regard to ASCII case. */
  readonly search?: string | undefined;
}

export interface SiteReader {
  /** Undefined also when the site is another client's. */
  find(clientId: string, siteId: number): Promise<Site | undefined>;
  /** In no order; those that are not there, or another client's, are left out. */
  findMany(clientId: string, siteIds: readonly number[]): Promise<Site[]>;
  /** The client's site with the smallest id. */
  findOldest(clientId: string): Promise<Site | undefined>;
  /** By id. */
  listAll(clientId: string, limit: number): Promise<Site[]>;
  list(clientId: string, filter: SiteFilter, page: PageRequest<SiteSortKey>): Promise<Page<Site>>;
  /** Ids of the sites right below any of these, in no order. */
  childIds(clientId: string, parentSiteIds: readonly number[]): Promise<number[]>;
  idsByExternalId(clientId: string, externalId: string): Promise<number[]>;
  /** Sites right below each of these; none where a site is absent. */
  countChildren(clientId: string, siteIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** A change of where a site stands, or of whether it is there at all (`fields` null), announced before it is made. */
export interface SiteTreeChange {
  readonly siteId: number;
  /** It is made only of a site in exactly this state. */
  readonly version: number;
  readonly arrivals: number;
  readonly fields: SitePatch | null;
  readonly at: Timestamp;
}

export type SitePatch = { readonly [K in keyof SiteInput]?: SiteInput[K] };

/**
 * How many changes of a client's tree were announced so far, and the last of them until it is made. Changes are made one
 * after the other: that is what keeps two moves, each right by itself, from making a circle together.
 */
export interface SiteTree {
  readonly changes: number;
  readonly pending: SiteTreeChange | null;
}

export interface SiteWriter {
  /** The next site id; never given twice. */
  nextId(): Promise<number>;
  insert(site: Site): Promise<void>;
  /** Sets the fields if the site's version is still that of `from`. */
  update(from: Site, fields: SitePatch, at: Timestamp): Promise<boolean>;
  /** Notes that something was put into the site. False when there is no such site (any more). */
  arrive(clientId: string, siteId: number): Promise<boolean>;
  readTree(clientId: string): Promise<SiteTree>;
  /** False when another change was announced, or made, since `seen` was read. */
  announce(clientId: string, seen: SiteTree, change: SiteTreeChange): Promise<boolean>;
  /** Makes a change that was announced as this number. False when the site was in another state, or it was made already. */
  make(clientId: string, number: number, change: SiteTreeChange): Promise<boolean>;
  /** The change of this number is made, or never will be. */
  settle(clientId: string, number: number): Promise<void>;
  /** Takes back a site that was inserted just now. */
  withdraw(site: Site): Promise<void>;
}
