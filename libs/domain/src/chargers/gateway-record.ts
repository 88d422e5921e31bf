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
