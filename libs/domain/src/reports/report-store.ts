// The port by which charger-state writes a batch of reports: rows first, then each charger's document by compare-and-set.
import type { Charger } from '../chargers/charger';
import type { ConnectionRecord, ConnectionReplaced } from '../chargers/connections/connection-record';
import type { FeedPage } from '../feed/feed-store';
import type { DeviceModel, DeviceModelChange } from '../device-model/device-model';
import type { DeviceReportRow } from '../device-model/device-report';
import type { DeviceState, DeviceStateChange } from '../device-state/device-state';
import type { EventStreams, EventStreamsChange } from '../device-state/event-streams';
import type { ChargerEvent, LogRow, StateChange } from '../history/history';
import type {
  CommandCorrelation,
  MeterValueRow,
  OrphanStop,
  Session,
  SessionStop,
  TransactionChange,
  TransactionEventRow,
} from '../sessions/session';

/** The rows of a batch (`noRows`). A redelivered batch makes the same row ids, so an existing row is success. */
export type ReportRows = Readonly<ReturnType<typeof noRows>>;

/** Rows that were written from an outdated record: their charger has been moved to another site. */
export interface MovedRows {
  readonly fromSiteId: number;
  readonly toSiteId: number;
  readonly sessionIds: readonly string[];
  readonly stateChangeIds: readonly string[];
}

/** A charger's record before and after folding. */
export interface ChargerChange {
  readonly from: Charger;
  readonly to: Charger;
}

/**
 * `written`: everything is stored. `conflict`: the rows are stored, but a record changed meanwhile, a session with a new id
 * existed already or had changed, or another owner has written a page of that number. The caller must read and fold again.
 */
export type ReportWriteResult = 'written' | 'conflict';

export interface ReportStore {
  loadChargers(chargerIds: readonly string[]): Promise<Charger[]>;
  /** The stored device states, of any incarnation. Chargers without one are left out. */
  loadDeviceState(chargerIds: readonly string[]): Promise<DeviceState[]>;
  /** The stored device models, of any incarnation. Chargers without one are left out. */
  loadDeviceModels(chargerIds: readonly string[]): Promise<DeviceModel[]>;
  /** The stored event streams, of any incarnation. Chargers without a document of them are left out. */
  loadEventStreams(chargerIds: readonly string[]): Promise<EventStreams[]>;
  /** Pages are stored with the changes of one `write` in one commit, or neither. Elsewhere changes may be without their pages. */
  readonly commitsPages: boolean;
  /** The pages have the events of the changes. They are stored only where every record was unchanged. */
  write(rows: ReportRows, changes: readonly ChargerChange[], pages?: readonly FeedPage[]): Promise<ReportWriteResult>;
  /**
   * The first of `count` consecutive transaction ids, positive, within 32 bits, never given before. Undefined when too
   * few are left.
   */
  takeTransactionIds(count: number): Promise<number | undefined>;
  /**
   * Adds to the transactions that a client's chargers began on a day (2026-01-31), deleted chargers included, up to `max`.
   * Returns how many were added.
   */
  takeClientStarts(
    clientId: string,
    day: string,
    limits: { readonly count: number; readonly max: number },
  ): Promise<number>;
  transactionIdsLeft(): Promise<number>;
  /**
   * A charger's next connection order: greater than all before, over deletions and restarts, and than `above`. A store
   * restored from a backup may not have counted up to `above`.
   */
  nextOrder(chargerId: string, above: number): Promise<number>;
}

export function noRows() {
  return {
    log: none<LogRow>(),
    stateChanges: none<StateChange>(),
    meterValues: none<MeterValueRow>(),
    transactionEvents: none<TransactionEventRow>(),
    events: none<ChargerEvent>(),
    sessions: none<Session>(),
    /** Ids of sessions whose stop was lost. */
    superseded: none<string>(),
    stops: none<SessionStop>(),
    /** At most one for each session. */
    transactions: none<TransactionChange>(),
    orphanStops: none<OrphanStop>(),
    correlations: none<CommandCorrelation>(),
    /** Ids of refused sessions that their chargers charge despite the refusal: they become ongoing. */
    chargingDespiteRefusal: none<string>(),
    /** Ids of sessions that have not ended but no longer use their tag. */
    tagReleased: none<string>(),
    /** Ids of accepted sessions whose tag belongs to another, simultaneous session. */
    tagConflict: none<string>(),
    /** One for each charger whose device state changes. */
    deviceStates: none<DeviceStateChange>(),
    /** One for each charger whose device model changes. */
    deviceModels: none<DeviceModelChange>(),
    /** One for each charger whose event streams or their values change. */
    eventStreams: none<EventStreamsChange>(),
    deviceReports: none<DeviceReportRow>(),
    moved: none<MovedRows>(),
    /** The one with the greatest `seq` is stored. */
    connections: none<ConnectionRecord>(),
    /** Open connections that end by a newer one. */
    replacedConnections: none<ConnectionReplaced>(),
    /** Ids of connections that ended after their charger was deleted. */
    connectionsOfDeleted: none<string>(),
  };
}

function none<Row>(): Row[] {
  return [];
}
