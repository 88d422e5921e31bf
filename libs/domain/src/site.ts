import type { Instant } from './instant';

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

/** A place that chargers belong to (the older generation's group). */
export interface Site extends SiteInput {
  /** Minted by the service: one integer, the same in both generations. */
  readonly siteId: number;
  readonly clientId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface SiteReader {
  /** Undefined also when the site is another client's. */
  find(clientId: string, siteId: number): Promise<Site | undefined>;
  /** The client's site with the smallest id. */
  findOldest(clientId: string): Promise<Site | undefined>;
  count(clientId: string): Promise<number>;
  countChildren(clientId: string, siteId: number): Promise<number>;
}

export interface SiteWriter {
  /** The next site id; never given twice. */
  nextId(): Promise<number>;
  insert(site: Site): Promise<void>;
}
