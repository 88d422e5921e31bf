// The port by which charger-state writes a batch of reports: rows first, then each charger's document by compare-and-set.
import type { Charger } from '../chargers/charger';
import type { DeviceState, DeviceStateChange } from '../device-state/device-state';
import type { ChargerEvent, LogRow, StateChange } from '../history/history';
import type { CommandCorrelation, MeterValueRow, OrphanStop, Session, SessionStop } from '../sessions/session';

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
   * A charger's next connection order: greater than all before, over deletions and restarts, and than `above`, which a store that
   * was brought back from a backup may not have counted to.
   */
  nextOrder(chargerId: string, above: number): Promise<number>;
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
  };
}
