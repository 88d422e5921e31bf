// Lists of chargers, and changes of their registration.
import type { Charger, ChargerRegistration } from './charger';
import type { ChargingState } from './reported-status';
import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

export const CHARGER_SORT_KEYS = ['chargerId', 'name', 'createdAt', 'updatedAt'] as const;
export type ChargerSortKey = (typeof CHARGER_SORT_KEYS)[number];

/** Filters a client's chargers. An absent field does not filter; an empty list matches nothing. */
export interface ChargerFilter {
  readonly siteIds?: readonly number[] | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  /** The shown state: Offline without a connection, else the charger's own state. */
  readonly state?: ChargingState | undefined;
  readonly activeConnection?: boolean | undefined;
  readonly ocppVersion?: string | undefined;
  /** A prefix of the charger id or of the name, case ignored. */
  readonly search?: string | undefined;
  /** Changed at this time or later. */
  readonly updatedSince?: Timestamp | undefined;
}

type SocketCounts = ReadonlyMap<ChargingState, number>;

export interface ChargerLister {
  list(clientId: string, filter: ChargerFilter, page: PageRequest<ChargerSortKey>): Promise<Page<Charger>>;
  /** The next chargers by id, of all sites or of one. */
  scan(clientId: string, from: ChargerScan): Promise<Charger[]>;
  /** The client's chargers among these, in no order; for a few hundred at a time. */
  findMany(clientId: string, chargerIds: readonly string[]): Promise<Charger[]>;
  /** The number of chargers at each of these sites; an absent key means none. */
  countBySite(clientId: string, siteIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** The number of sockets in each shown state at each of these sites, or at all. */
  countSockets(clientId: string, siteIds: readonly number[] | undefined): Promise<ReadonlyMap<number, SocketCounts>>;
}

export interface ChargerScan {
  readonly siteId?: number | undefined;
  /** The last id of the page before. */
  readonly after: string;
  readonly limit: number;
}

/** The fields of a registration that its owner can change. */
export type RegistrationFields = Partial<
  Omit<ChargerRegistration, 'authentication' | 'createdAt' | 'updatedAt' | 'version'>
>;

export interface ChargerRegistrar {
  /**
   * Sets the fields if the incarnation and the registration's version are those of `from`. For sockets, which determine
   * the tally, the record's revision must be the same too.
   */
  updateRegistration(from: Charger, fields: RegistrationFields, at: Timestamp): Promise<boolean>;
  /** Deletes the charger if its incarnation and the registration's version are those of `from`. */
  remove(from: Charger): Promise<boolean>;
}

/** The version for conditional requests: changes with the fields that the owner can change, never with reports. */
export function chargerVersion({ incarnationId, registered }: Charger): string {
  return `${incarnationId}-${String(registered.version ?? 0)}`;
}

export interface ChargerOwners {
  /** The client of each registered charger, by charger id. */
  ownersOf(chargerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
