import type { Timestamp } from '../timestamp';

/**
 * A gateway id that charger-state has seen. Once dead, an id is dead for ever; a gateway that lives on takes a new one. The
 * record is deleted when nothing that names the id can be under way any more.
 */
export interface GatewayRecord {
  readonly gatewayId: string;
  readonly state: 'live' | 'dead';
  readonly at: Timestamp;
}

export interface GatewayReader {
  /** Whether charger-state has declared this id dead: nobody is, or will be, connected under it. */
  isDead(gatewayId: string): Promise<boolean>;
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
