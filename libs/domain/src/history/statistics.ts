import type { ChargingState } from '../chargers/reported-status';
import type { Timestamp } from '../timestamp';

/** The figures of a client's network. */
export interface NetworkStatistics {
  readonly sites: number;
  readonly chargers: number;
  readonly connectedChargers: number;
  readonly sockets: number;
  readonly socketsByState: Readonly<Record<ChargingState, number>>;
  readonly sessionsInProgress: number;
  /** Sessions begun since midnight UTC. */
  readonly sessionsToday: number;
  /** Wh of the sessions that ended since midnight UTC. */
  readonly energyTodayWh: number;
  readonly generatedAt: Timestamp;
}

/** Figures of all clients together: for the operator, never for a client. */
export interface NetworkTotals {
  readonly chargers: number;
  readonly sessionsInProgress: number;
}

/** Counted from rows for every call. */
export interface StatisticsReader {
  read(clientId: string, now: Date): Promise<NetworkStatistics>;
  totals(): Promise<NetworkTotals>;
}
