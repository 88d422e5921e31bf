import type { Compatibility, Position } from '@busbar/contracts';
import type { ChargerAuthentication } from './charger-authentication';
import type { AwaitedStart, AwaitedStop, StartCount } from './charger-starts';
import type { Timestamp } from '../timestamp';
import type { OngoingTransaction } from '../sessions/ongoing-transaction';

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

/** What an operator knows of a socket before or beside the charger's reports. */
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

/** What the owner may say of a charger. */
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
}

/** Written by the APIs and admin alone. */
export interface ChargerRegistration extends ChargerInput {
  readonly siteId: number;
  readonly compatibility: Compatibility;
  readonly authentication: ChargerAuthentication;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Grows with every change of what the record shows of these; absent before the first of records made without it. */
  readonly version?: number;
}

/** Written by charger-state alone. Changes only for a greater position. */
export interface ChargerConnection {
  readonly active: boolean;
  readonly gatewayId: string | null;
  readonly connectionId: string | null;
  readonly ocppVersion: string | null;
  readonly since: Timestamp | null;
  readonly position: Position;
  /** Connections that newer ones took the place of and that have not ended since: their gateways are told to close them. */
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
}

/** A socket's (or, as connector 0, the charger's) last reported status. */
export interface ReportedStatus {
  /** In the words of both HTTP generations. */
  readonly state: ChargingState;
  /** The charger's error code, '' for none; of a status outside its version's list, the status word itself. */
  readonly errorCode: string;
  readonly info: string;
  readonly vendorErrorCode: string;
  /** The charger's own time for it, or the time of receipt where that was missing or far off. Never goes back. */
  readonly at: Timestamp;
  /** The charger's own timestamp; absent where that was missing or far off. */
  readonly ownAt?: Timestamp;
  readonly position: Position;
}

export interface ConfigurationItem {
  readonly configName: string;
  readonly configValue: string;
  readonly canBeChanged: boolean;
  /** Of one that a command changed: where it stands. What a GetConfiguration told of stands at `configurationPosition`. */
  readonly position?: Position;
}

export type Availability = 'Operative' | 'Inoperative';

/** What a charger was told of a socket's availability and accepted. */
export interface SocketAvailability {
  readonly inForce: Availability | null;
  /** Comes into force when what is under way at the socket has ended. */
  readonly scheduled: Availability | null;
  readonly at: Timestamp;
  readonly position: Position;
}

export interface Deviation {
  readonly count: number;
  readonly lastAt: Timestamp;
}

/** Last word of a charger on its own firmware or diagnostics. */
export interface Progress {
  readonly status: string;
  /** Of the request that it is the progress of, where the charger named one. */
  readonly requestId?: number;
  readonly at: Timestamp;
  readonly position: Position;
}

/** Written by charger-state alone. */
export interface ChargerReports {
  readonly lastSeen: Timestamp | null;
  readonly lastMessage: string | null;
  /** The true length in bytes of a `lastMessage` that is shortened; null or absent where it is not. */
  readonly lastMessageBytes?: number | null;
  readonly lastPosition: Position;
  readonly boot: BootReport | null;
  readonly status: ReportedStatus | null;
  /**
   * The charger's own state as if it were connected (`ownStateOf`), kept so that lists can filter by it. Absent in documents
   * written before it was kept; the charger's next message stores it.
   */
  readonly ownState?: ChargingState;
  /** `socketTally` of all sockets. Absent in older documents, where it has to be counted. */
  readonly tally?: string;
  /** By socket id. */
  readonly sockets: Readonly<Record<string, ReportedStatus>>;
  readonly ongoing: Readonly<Record<string, OngoingTransaction>>;
  readonly configuration: readonly ConfigurationItem[];
  readonly configurationPosition: Position | null;
  readonly deviations: Readonly<Record<string, Deviation>>;
  readonly firmware: Progress | null;
  readonly diagnostics: Progress | null;
  readonly log: Progress | null;
  /** Oldest first, few and not for long. Absent in documents written before there were any; so below. */
  readonly awaitedStarts?: readonly AwaitedStart[];
  readonly awaitedStops?: readonly AwaitedStop[];
  /** Absent before its first transaction. */
  readonly starts?: StartCount;
  /** By socket id; `0` for the whole charger, and each socket of which nothing else is known. */
  readonly availability?: Readonly<Record<string, SocketAvailability>>;
}

export interface Charger {
  readonly chargerId: string;
  readonly clientId: string;
  /** New whenever the charger is created, so that a deleted one's late messages never reach its successor. */
  readonly incarnationId: string;
  readonly registered: ChargerRegistration;
  readonly connection: ChargerConnection;
  readonly reported: ChargerReports;
  /**
   * The networks that it was last admitted from, the latest one last: strangers' wrong passwords never close these to it.
   * Written by admission alone. Absent before the first.
   */
  readonly lastGoodNetworks?: readonly string[];
  /** The last few connections and how far each was applied: tells a redelivered message from a new one. Newest last. */
  readonly applied: readonly Position[];
  /** Grows with every write of charger-state: the compare-and-set that its writes rest on. */
  readonly revision: number;
}

/** States of sockets and chargers, in both generations. */
export const CHARGING_STATES = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedCAR',
  'SuspendedCHARGER',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Error',
  'Booting',
  'Offline',
  'Info',
] as const;
export type ChargingState = (typeof CHARGING_STATES)[number];

export interface ChargerReader {
  /** Any client's: for charger-state and admin. */
  find(chargerId: string): Promise<Charger | undefined>;
  /** Undefined also when the charger is another client's. */
  findOwned(clientId: string, chargerId: string): Promise<Charger | undefined>;
  listOwned(clientId: string, limit: number): Promise<Charger[]>;
  /** By charger id, of those that are registered: which incarnation they are. */
  incarnationsOf(chargerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The order of the last connection that the charger was admitted to; 0 before the first. */
  lastOrder(chargerId: string): Promise<number>;
  /** How many of a client's chargers are connected. */
  countConnected(clientId: string): Promise<number>;
}

export interface ChargerWriter {
  insert(charger: Charger): Promise<'inserted' | 'taken'>;
  /** Replaces what its record shows as ongoing; by compare-and-set on its revision, which moves on. */
  replaceOngoing(charger: Charger, ongoing: ChargerReports['ongoing']): Promise<boolean>;
  /**
   * Replaces what that incarnation of the charger must present, where that is still the version that the new one follows.
   * `at`: when its owner changed it, which is a change of the registration: where that still has the version of `charger`,
   * it moves on. Absent, it was not its owner. False when it is another version, or there is no such charger.
   */
  replaceAuthentication(
    charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'registered'>,
    authentication: ChargerAuthentication,
    at?: Timestamp,
  ): Promise<boolean>;
  /** Replaces where that incarnation of the charger is known to come from. */
  saveGoodNetworks(charger: Pick<Charger, 'chargerId' | 'incarnationId'>, networks: readonly string[]): Promise<void>;
}

/** A charger as it is before it ever connected. */
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
