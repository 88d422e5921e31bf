import type { ChargingState } from '../chargers/charger';
import type { Timestamp } from '../timestamp';

/** A client's network in numbers. */
export interface NetworkStatistics {
  readonly sites: number;
  readonly chargers: number;
  readonly connectedChargers: number;
  readonly sockets: number;
  readonly socketsByState: Readonly<Record<ChargingState, number>>;
  readonly sessionsInProgress: number;
  /** Sessions begun since midnight UTC. */
  readonly sessionsToday: number;
  /** Wh of the sessions ended since midnight UTC. */
  readonly energyTodayWh: number;
  readonly generatedAt: Timestamp;
}

/** Counts that the store makes; statistics are always counted from rows, never kept. */
export interface StatisticsReader {
  read(clientId: string, now: Date): Promise<NetworkStatistics>;
}
