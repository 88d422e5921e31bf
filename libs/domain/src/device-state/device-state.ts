// The device state: reservations, charging profiles, local list, certificates, display messages and monitors of a charger. A document of its
// own beside the charger's record, since it may be large and is seldom read. Written by charger-state alone.
import type { Position } from '@busbar/contracts';
import type { Charger } from '../chargers/charger';
import type { InstalledCertificates } from './certificates';
import type { ChargingProfiles } from './charging-profile';
import type { DisplayMessage } from './display-message';
import type { LocalList } from './local-list';
import type { Monitor } from './monitor';
import type { NumberedItems } from './numbered-items';
import type { Reservation } from './reservation';

export interface DeviceState {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  /** Oldest first. */
  readonly reservations: readonly Reservation[];
  readonly profiles: ChargingProfiles;
  /** Null: unknown. */
  readonly localList: LocalList | null;
  /** Null or absent: the charger has not listed them. */
  readonly certificates?: InstalledCertificates | null;
  /** OCPP 2.x. Null or absent: none has been set or reported. */
  readonly displayMessages?: NumberedItems<DisplayMessage> | null;
  /** The same. */
  readonly monitors?: NumberedItems<Monitor> | null;
  /** The last applied message of each connection. */
  readonly applied?: readonly Position[];
  /** Grows with every write, which compares it (compare-and-set). 0: not stored yet. */
  readonly revision: number;
  /** Not stored: the incarnation whose document the first write replaces. */
  readonly replaces?: string;
}

export interface DeviceStateReader {
  /** The charger's device state as far as known. */
  read(charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>): Promise<DeviceState>;
}

/** A device state before and after folding. */
export interface DeviceStateChange {
  readonly from: DeviceState;
  readonly to: DeviceState;
}

/** The device state of this incarnation. Another incarnation's state is discarded, and its document is replaced. */
export function deviceStateOf(
  { chargerId, incarnationId, clientId }: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  stored: DeviceState | undefined,
): DeviceState {
  if (stored?.incarnationId === incarnationId) return stored;
  return {
    chargerId,
    incarnationId,
    clientId,
    reservations: [],
    profiles: { installed: [], clearings: [] },
    localList: null,
    certificates: null,
    displayMessages: null,
    monitors: null,
    revision: stored?.revision ?? 0,
    ...(stored === undefined ? {} : { replaces: stored.incarnationId }),
  };
}
