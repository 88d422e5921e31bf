// Lists of chargers, and changes of their registration.
import type { Charger, ChargerRegistration, ChargingState } from './charger';
import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

export const CHARGER_SORT_KEYS = ['chargerId', 'name', 'createdAt'] as const;
export type ChargerSortKey = (typeof CHARGER_SORT_KEYS)[number];

/** Which of a client's chargers. What is absent does not narrow; an empty list finds nothing. */
export interface ChargerFilter {
  readonly siteIds?: readonly number[] | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  /** As shown: Offline without a connection, else the charger's own state. */
  readonly state?: ChargingState | undefined;
  readonly activeConnection?: boolean | undefined;
  readonly ocppVersion?: string | undefined;
  /** How the charger id or the name begins, without regard to case. */
  readonly search?: string | undefined;
}

type SocketCounts = ReadonlyMap<ChargingState, number>;

export interface ChargerLister {
  list(clientId: string, filter: ChargerFilter, page: PageRequest<ChargerSortKey>): Promise<Page<Charger>>;
  /** The next ones by id, of all sites or of one. */
  scan(clientId: string, from: ChargerScan): Promise<Charger[]>;
  /** Those of these that are his, in no order. A few hundred at a time. */
  findMany(clientId: string, chargerIds: readonly string[]): Promise<Charger[]>;
  /** Chargers in each of these sites; none where a site is absent. */
  countBySite(clientId: string, siteIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Sockets in each state, as shown, at each of these sites, or all; a site without any is absent. */
  countSockets(clientId: string, siteIds: readonly number[] | undefined): Promise<ReadonlyMap<number, SocketCounts>>;
}

export interface ChargerScan {
  readonly siteId?: number | undefined;
  /** The id of the last one before. */
  readonly after: string;
  readonly limit: number;
}

/** What an owner's change may replace of a registration. */
export type RegistrationFields = Partial<
  Omit<ChargerRegistration, 'authentication' | 'createdAt' | 'updatedAt' | 'version'>
>;

export interface ChargerRegistrar {
  /**
   * Sets the fields if the registration still has the version of `from`, and it is the same incarnation; sockets, from which
   * the tally follows, only if the whole record has the revision of `from`.
   */
  updateRegistration(from: Charger, fields: RegistrationFields, at: Timestamp): Promise<boolean>;
  /** Deletes the charger if its registration still has the version of `from`, and it is the same incarnation. */
  remove(from: Charger): Promise<boolean>;
}

/** For lost updates: changes with what the owner can change of the record, never with what the charger reports. */
export function chargerVersion({ incarnationId, registered }: Charger): string {
  return `${incarnationId}-${String(registered.version ?? 0)}`;
}

export interface ChargerOwners {
  /** By charger id, of those that are registered: the client that has them. */
  ownersOf(chargerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
