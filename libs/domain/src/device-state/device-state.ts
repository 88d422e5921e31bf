// What a charger was told to hold and accepted: reservations, charging profiles, its local list. Beside the charger's record
// and not in it, since it may be large and is seldom asked for. Written by charger-state alone.
import type { Position } from '@busbar/contracts';
import type { Charger } from '../chargers/charger';
import type { ChargingProfiles } from './charging-profile';
import type { LocalList } from './local-list';
import type { Reservation } from './reservation';

export interface DeviceState {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  /** Oldest first. */
  readonly reservations: readonly Reservation[];
  readonly profiles: ChargingProfiles;
  /** Null while nothing is known of it. */
  readonly localList: LocalList | null;
  /** What of each connection is in here already. Absent: stored before this was kept. */
  readonly applied?: readonly Position[];
  /** Grows with every write: the compare-and-set that they rest on. 0: not stored yet. */
  readonly revision: number;
  /** Not stored: the incarnation whose document the first write goes over. */
  readonly replaces?: string;
}

export interface DeviceStateReader {
  /** What the charger holds, by all that is known. */
  read(charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>): Promise<DeviceState>;
}

/** Holdings as folded, and as they were read. */
export interface DeviceStateChange {
  readonly from: DeviceState;
  readonly to: DeviceState;
}

/**
 * What is stored under a charger's id, for this incarnation of it: what another one held is nothing to this one, but its
 * document is the one that is written over.
 */
export function deviceStateOf(
  { chargerId, incarnationId, clientId }: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  stored: DeviceState | undefined,
): DeviceState {
  if (stored?.incarnationId === incarnationId) return stored;
  return {
    ...{ chargerId, incarnationId, clientId },
    reservations: [],
    profiles: { installed: [], clearings: [] },
    localList: null,
    revision: stored?.revision ?? 0,
    ...(stored === undefined ? {} : { replaces: stored.incarnationId }),
  };
}
