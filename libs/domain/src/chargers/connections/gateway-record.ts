import type { Timestamp } from '../../timestamp';

/**
 * A gateway id known to charger-state. A dead id stays dead; a gateway that still lives takes a new one. The record is
 * deleted when nothing in flight can name the id any more.
 */
export interface GatewayRecord {
  readonly gatewayId: string;
  readonly state: 'live' | 'dead';
  readonly at: Timestamp;
}

export interface GatewayReader {
  /** Returns whether charger-state has declared this id dead: nobody is, or will be, connected under it. */
  isDead(gatewayId: string): Promise<boolean>;
}

export interface GatewayCounter {
  /** The gateway ids of connected chargers, with the number of chargers. */
  countActive(): Promise<{ gatewayId: string; chargers: number }[]>;
}

/** The end of connections whose gateway did not report it. */
export interface PresenceStore extends GatewayReader, GatewayCounter {
  /** Irrevocable. */
  markDead(gatewayId: string, at: Timestamp): Promise<void>;
  listDead(since: Timestamp): Promise<GatewayRecord[]>;
  /**
   * Disconnects every charger of that gateway in one update, and ends its open connections in the history with this time.
   * Returns the number of chargers.
   */
  disconnectAll(gatewayId: string, at: Timestamp): Promise<number>;
}
