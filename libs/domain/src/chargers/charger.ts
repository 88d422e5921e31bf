import type { Compatibility, Position } from '@busbar/contracts';
import type { ChargerAuthentication } from './credentials/charger-authentication';
import type { AwaitedStart, AwaitedStop, StartCount } from './charger-starts';
import type { RecentMessage } from './recent-message';
import type { ChangedValue, ReportInParts } from './reported-variables';
import type { ChargingState, ReportedProblem, ReportedStatus } from './reported-status';
import type { Timestamp } from '../timestamp';
import type { StoredOutbox } from '../feed/outbox';
import type { OngoingTransaction } from '../sessions/ongoing-transaction';
import type { Session } from '../sessions/session';

export interface ChargerLocation {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly streetAddress?: string;
  readonly streetNumber?: string;
  readonly houseLetter?: string;
  readonly postalNumber?: string;
  readonly city?: string;
  readonly area?: string;
  readonly country?: string;
}

/** The operator's knowledge of a socket, before or beside the charger's reports. */
export interface RegisteredSocket {
  readonly id: number;
  readonly name?: string;
  readonly type?: string;
  readonly maxPower?: string;
  readonly format?: string;
  readonly socketPowerType?: string;
  readonly maxWatts?: number;
  readonly maxVoltage?: number;
  readonly maxAmperage?: number;
  readonly phaseRotation?: string;
}

/** What a BootNotification of OCPP 2.x is answered. */
export const ADMISSIONS = ['accept', 'pending', 'reject'] as const;
export type Admission = (typeof ADMISSIONS)[number];

/** The fields of a charger that its owner sets. */
export interface ChargerInput {
  readonly name: string;
  readonly location: ChargerLocation;
  readonly pushIntegrationEnabled: boolean;
  readonly chargerSpecificMessageStructure: boolean;
  readonly evseId: string | null;
  readonly splitEvseBySocket: boolean;
  readonly sockets: readonly RegisteredSocket[];
  readonly capabilities: readonly string[];
  readonly physicalReference: string | null;
  readonly integrationRelays: readonly string[];
  readonly customProperties: Readonly<Record<string, string | number | boolean | null>>;
  /** Absent: accept. */
  readonly admission?: Admission;
  /** `processing`: what a vehicle needs is answered so, since a client sets a profile then. Absent: by the profiles that are set. */
  readonly chargingNeeds?: 'processing' | null;
}

/** Written by the APIs and admin alone. */
export interface ChargerRegistration extends ChargerInput {
  readonly siteId: number;
  readonly compatibility: Compatibility;
  readonly authentication: ChargerAuthentication;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Grows with every change of the registration. Absent before the first. */
  readonly version?: number;
}

/** Written by charger-state alone, for a greater position only. */
export interface ChargerConnection {
  readonly active: boolean;
  readonly gatewayId: string | null;
  readonly connectionId: string | null;
  readonly ocppVersion: string | null;
  readonly since: Timestamp | null;
  readonly position: Position;
  /** Replaced connections that have not ended yet: their gateways are ordered to close them. */
  readonly replaced: readonly ReplacedConnection[] | null;
}

export interface ReplacedConnection {
  readonly gatewayId: string;
  readonly connectionId: string;
  readonly order: number;
}

export interface BootReport {
  readonly manufacturer: string;
  readonly model: string;
  readonly serial: string;
  readonly firmware: string;
  readonly iccid: string;
  readonly imsi: string;
  readonly meterType: string;
  readonly meterSerialNumber: string;
  readonly at: Timestamp;
  readonly position: Position;
  /** Absent: 1. */
  readonly majorVersion?: 2;
  /** Why it booted, as OCPP 2.x names it. */
  readonly reason?: string;
  /** Absent: it was accepted. */
  readonly status?: 'pending' | 'rejected';
}

export interface ConfigurationItem {
  readonly configName: string;
  readonly configValue: string;
  readonly canBeChanged: boolean;
  /** For an item that a command changed. Items that the charger listed have `configurationPosition`. */
  readonly position?: Position;
  /** The last noticed change of the value: see `changedAtOf`. Absent: none. */
  readonly changedAt?: Timestamp;
}

export type Availability = 'Operative' | 'Inoperative';

/** A socket's availability as the charger accepted it. */
export interface SocketAvailability {
  readonly inForce: Availability | null;
  /** Takes effect when the session at the socket has ended. */
  readonly scheduled: Availability | null;
  readonly at: Timestamp;
  readonly position: Position;
}

export interface Deviation {
  readonly count: number;
  readonly lastAt: Timestamp;
}

/** The charger's last report on its firmware or diagnostics. */
export interface Progress {
  readonly status: string;
  /** The request that this is the progress of, where the charger named one. */
  readonly requestId?: number;
  readonly at: Timestamp;
  readonly position: Position;
}

export interface ReportedEvse {
  readonly state: ChargingState;
  readonly at: Timestamp;
}

/** Written by charger-state alone. */
export interface ChargerReports {
  readonly lastSeen: Timestamp | null;
  readonly lastMessage: string | null;
  /** The true length in bytes of a shortened `lastMessage`. */
  readonly lastMessageBytes?: number | null;
  readonly lastPosition: Position;
  readonly boot: BootReport | null;
  readonly status: ReportedStatus | null;
  /** The charger's own state as if it were connected (`ownStateOf`), stored so that lists can filter by it. */
  readonly ownState: ChargingState;
  /** `socketTally` of all sockets. */
  readonly tally: string;
  /** By socket id. */
  readonly sockets: Readonly<Record<string, ReportedStatus>>;
  /** By EVSE: its own state, where the charger reports one. OCPP 2.x. */
  readonly evses?: Readonly<Record<string, ReportedEvse>>;
  /** Problems of sockets without a status, by socket id, and of EVSEs, by `evse:` and their id; then as those of a status. OCPP 2.x. */
  readonly problems?: Readonly<Record<string, Readonly<Record<string, ReportedProblem>>>>;
  readonly ongoing: Readonly<Record<string, OngoingTransaction>>;
  readonly configuration: readonly ConfigurationItem[];
  readonly configurationPosition: Position | null;
  /** The newest reports in parts, few. OCPP 2.x. */
  readonly reports?: readonly ReportInParts[];
  /** Values that are not in the device model yet, few, oldest first. OCPP 2.x. */
  readonly changedValues?: readonly ChangedValue[];
  /** Its last messages, few, oldest first: one of them that comes on another connection is no new one. OCPP 2.x. */
  readonly recentMessages?: readonly RecentMessage[];
  /** The firmware whose device model the charger has reported whole, or refused to. Absent or null: none. OCPP 2.x. */
  readonly inventoryOf?: string | null;
  readonly deviations: Readonly<Record<string, Deviation>>;
  readonly firmware: Progress | null;
  readonly diagnostics: Progress | null;
  readonly log: Progress | null;
  /** Oldest first, few and short-lived. */
  readonly awaitedStarts?: readonly AwaitedStart[];
  readonly awaitedStops?: readonly AwaitedStop[];
  /** Absent before its first transaction. */
  readonly starts?: StartCount;
  /** By socket id; `0` is the whole charger, and the default of each socket. */
  readonly availability?: Readonly<Record<string, SocketAvailability>>;
}

/**
 * A charger's record, as stored in `chargers` (shortened):
 *
 *     { "chargerId": "ACME-17", "clientId": "c_k3Jd8sQ1xZ0p", "incarnationId": "01J9Z3N5V7C8R2K4M6P8Q0S2T4",
 *       "registered": { "name": "Car park, row 2", "siteId": 12, "sockets": [{ "id": 1, "type": "Type2" }], "version": 3,
 *                       "authentication": { "securityProfile": 1, "passwordHash": "scrypt$4096$…" }, … },
 *       "connection": { "active": true, "gatewayId": "01J9Z…", "ocppVersion": "ocpp1.6", "position": [7, 1], … },
 *       "reported":   { "lastSeen": "2026-01-31T12:00:00.000Z", "ownState": "Charging", "tally": "Charging*1",
 *                       "sockets": { "1": { "state": "Charging", "at": "2026-01-31T11:42:10.000Z", "position": [7, 4], … } },
 *                       "ongoing": { "1": { "transactionId": 4711, "idTag": "04A2B3", … } }, … },
 *       "applied": [[6, 212], [7, 9]], "revision": 830 }
 */
export interface Charger {
  readonly chargerId: string;
  readonly clientId: string;
  /** New for every creation of the charger, so that a deleted one's late messages never reach its successor. */
  readonly incarnationId: string;
  readonly registered: ChargerRegistration;
  readonly connection: ChargerConnection;
  readonly reported: ChargerReports;
  /**
   * The last change of what its record shows: registration, connection, states, sessions, configuration. `lastSeen`,
   * `lastMessage` and the counts of deviations alone are no change. Written by the store with each such change; never
   * decreases.
   */
  readonly updatedAt?: Timestamp;
  /**
   * The networks of its last admissions, newest last. Wrong passwords from elsewhere never lock these out. Written by
   * admission alone.
   */
  readonly lastGoodNetworks?: readonly string[];
  /**
   * The last few connections and the last applied message of each, which identifies redelivered messages. Newest last.
   */
  readonly applied: readonly Position[];
  /** Absent before its first event. */
  readonly outbox?: StoredOutbox;
  /** Grows with every write of charger-state, which compares it (compare-and-set). */
  readonly revision: number;
}

export interface ChargerReader {
  /** A charger of any client: for charger-state and admin. */
  find(chargerId: string): Promise<Charger | undefined>;
  /** Undefined also when the charger is another client's. */
  findOwned(clientId: string, chargerId: string): Promise<Charger | undefined>;
  listOwned(clientId: string, limit: number): Promise<Charger[]>;
  /** The incarnation of each registered charger, by charger id. */
  incarnationsOf(chargerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The order of the last admitted connection; 0 before the first. */
  lastOrder(chargerId: string): Promise<number>;
  /** The number of a client's connected chargers. */
  countConnected(clientId: string): Promise<number>;
}

export interface ChargerWriter {
  insert(charger: Charger): Promise<'inserted' | 'taken'>;
  /**
   * Replaces the ongoing sessions of the record, by compare-and-set on its revision. `ended`: its operator ended this session,
   * which the feed announces.
   */
  replaceOngoing(charger: Charger, ongoing: ChargerReports['ongoing'], ended?: Session): Promise<boolean>;
  /**
   * Replaces the authentication of that incarnation, by compare-and-set on its version. `at` is given for a change by
   * the owner: that also compares and raises the registration's version. False where another change came first or the
   * charger was deleted.
   */
  replaceAuthentication(
    charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'registered' | 'outbox'>,
    authentication: ChargerAuthentication,
    at?: Timestamp,
  ): Promise<boolean>;
  /** Replaces the good networks of that incarnation. */
  saveGoodNetworks(charger: Pick<Charger, 'chargerId' | 'incarnationId'>, networks: readonly string[]): Promise<void>;
}

/** The parts of a record that a charger writes, before its first connection. */
export function neverConnected(): Pick<Charger, 'connection' | 'reported' | 'applied' | 'revision'> {
  return {
    connection: {
      active: false,
      gatewayId: null,
      connectionId: null,
      ocppVersion: null,
      since: null,
      position: [0, 0],
      replaced: null,
    },
    reported: {
      lastSeen: null,
      lastMessage: null,
      lastPosition: [0, 0],
      boot: null,
      status: null,
      ownState: 'Booting',
      tally: '',
      sockets: {},
      ongoing: {},
      configuration: [],
      configurationPosition: null,
      deviations: {},
      firmware: null,
      diagnostics: null,
      log: null,
    },
    applied: [],
    revision: 0,
  };
}
