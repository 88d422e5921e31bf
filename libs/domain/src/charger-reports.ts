// What charger-state writes of a batch, and how: rows first, then each charger's document by compare-and-set.
import type { Charger } from './chargers/charger';
import type { DeviceState, DeviceStateChange } from './device-state/device-state';
import type { GatewayRecord } from './chargers/gateway-record';
import type { ChargerEvent, LogRow, StateChange } from './history/history';
import type { Timestamp } from './timestamp';
import type { MeterValueRow, OrphanStop, Session, SessionStop, CommandCorrelation } from './sessions/session';

/** Rows of a batch. Each has an id that a second delivery makes again, so an existing one is success. */
export interface ReportRows {
  readonly log: LogRow[];
  readonly stateChanges: StateChange[];
  readonly meterValues: MeterValueRow[];
  readonly events: ChargerEvent[];
  readonly sessions: Session[];
  /** Ids of sessions whose stop must have got lost. */
  readonly superseded: string[];
  readonly stops: SessionStop[];
  readonly orphanStops: OrphanStop[];
  readonly correlations: CommandCorrelation[];
  /** Ids of sessions that were refused and that their chargers charge with all the same: they become ongoing. */
  readonly chargingDespiteRefusal: string[];
  /** Ids of sessions whose tag is in use no more, though they have not ended. */
  readonly tagReleased: string[];
  /** Ids of sessions that were accepted, but whose tag another one has that began in the same moment. */
  readonly tagConflict: string[];
  /** One for each charger whose holdings change. */
  readonly deviceStates: DeviceStateChange[];
  readonly moved: MovedRows[];
}

/** Rows that were written from a record which was out of date: their charger stands at another site. */
export interface MovedRows {
  readonly fromSiteId: number;
  readonly toSiteId: number;
  readonly sessionIds: readonly string[];
  readonly stateChangeIds: readonly string[];
}

/** A charger's document as folded, and as it was read. */
export interface ChargerChange {
  readonly from: Charger;
  readonly to: Charger;
}

/**
 * written: everything is stored. conflict: rows are in, but a document had moved on, or a session with one of the new ids
 * was there already: read again and fold again.
 */
export type ReportWriteResult = 'written' | 'conflict';

export interface ReportStore {
  loadChargers(chargerIds: readonly string[]): Promise<Charger[]>;
  /** As they are stored, whatever incarnation they are of; nothing for chargers that hold nothing. */
  loadDeviceState(chargerIds: readonly string[]): Promise<DeviceState[]>;
  write(rows: ReportRows, changes: readonly ChargerChange[]): Promise<ReportWriteResult>;
  /**
   * The first of `count` transaction ids in a row, never given before; all positive and within 32 bits. Undefined when so
   * many are not left.
   */
  takeTransactionIds(count: number): Promise<number | undefined>;
  /** Adds to the transactions that a client's chargers began on a day (2026-01-31), also deleted ones. Gives the sum. */
  countClientStarts(clientId: string, day: string, count: number): Promise<number>;
  transactionIdsLeft(): Promise<number>;
  /**
   * A charger's next connection order: greater than all before, over deletions and restarts, and than `above`, which a store that
   * was brought back from a backup may not have counted to.
   */
  nextOrder(chargerId: string, above: number): Promise<number>;
}

/** How connections end without their gateway saying so. */
export interface PresenceStore {
  /** Never taken back. */
  markDead(gatewayId: string, at: Timestamp): Promise<void>;
  isDead(gatewayId: string): Promise<boolean>;
  listDead(since: Timestamp): Promise<GatewayRecord[]>;
  /** Sets every charger active under that gateway inactive, in one update; how many there were. */
  disconnectAll(gatewayId: string): Promise<number>;
  /** Gateway ids under which chargers are shown connected, with how many. */
  countActive(): Promise<{ gatewayId: string; chargers: number }[]>;
}

/** Deletes what is older than its retention, at most `limit` rows a call and kind; how many went. */
export interface RetentionStore {
  /** Deletes at most `limit` of each kind, and gives how many of each. */
  prune(before: PruneBefore, limit: number): Promise<PruneCounts>;
  /** By themselves, since each that is deleted is told of. */
  pruneDeadLetters(before: Timestamp, limit: number): Promise<number>;
  /** The time that deletion by age takes for now, whatever a clock says. Undefined before the first `moveRetainedUntil`. */
  retainedUntil(): Promise<Timestamp | undefined>;
  /** By compare-and-set: false when it is not `from` (undefined: not there) any more. */
  moveRetainedUntil(from: Timestamp | undefined, to: Timestamp): Promise<boolean>;
  /** When the newest row was received, of all that chargers reported. Undefined when there is none. */
  newestRowAt(): Promise<Timestamp | undefined>;
}

/** Rows deleted, by the name of their collection. */
export type PruneCounts = Readonly<Record<string, number>>;

export interface PruneBefore {
  readonly log: Timestamp;
  readonly history: Timestamp;
  /** Of sessions that are over: when their start was received, and when they ended. Those in progress stay. */
  readonly sessions: Timestamp;
  /** Of API keys: when they were revoked. */
  readonly keys: Timestamp;
  /** What expired by then. */
  readonly answers: Timestamp;
  readonly claims: Timestamp;
  /** Of commands: when they were requested. */
  readonly commands: Timestamp;
  /** Of rejected connection attempts. */
  readonly attempts: Timestamp;
  /** Of dead gateway ids: when they died. */
  readonly gateways: Timestamp;
}

/**
 * A message of a charger that could not be applied, or a body that could not even be read: kept until an operator replays or
 * drops it, or its retention is over.
 */
export interface StoredDeadLetter {
  readonly deadLetterId: string;
  /** Empty for what could not be read. */
  readonly chargerId: string;
  readonly action: string;
  readonly reason: string;
  readonly at: Timestamp;
  /** The whole envelope as JSON text, since it may hold anything; of what could not be read, its text. */
  readonly report: string;
}

export interface DeadLetterStore {
  /** One that is there already is success. */
  keep(letter: StoredDeadLetter): Promise<void>;
  /** The oldest first, unless told otherwise; those of one timestamp in the order of their ids. */
  list(limit: number, from?: DeadLettersFrom): Promise<StoredDeadLetter[]>;
  find(deadLetterId: string): Promise<StoredDeadLetter | undefined>;
  /** False when there is none. */
  drop(deadLetterId: string): Promise<boolean>;
  count(): Promise<number>;
}

export interface DeadLettersFrom {
  readonly newestFirst?: boolean;
  /** Only what comes behind this one. */
  readonly after?: Pick<StoredDeadLetter, 'at' | 'deadLetterId'>;
}

export function noRows(): ReportRows {
  return {
    log: [],
    stateChanges: [],
    meterValues: [],
    events: [],
    sessions: [],
    superseded: [],
    stops: [],
    orphanStops: [],
    correlations: [],
    chargingDespiteRefusal: [],
    tagReleased: [],
    tagConflict: [],
    deviceStates: [],
    moved: [],
  };
}
