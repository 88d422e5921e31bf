// The state of a simulated charger. It survives reconnects and resets within a run.
import type { V16Requests, V2Requests } from '@busbar/ocpp';
import type { InstalledProfile } from './charging-profiles';
import { initialConfiguration, type Configuration } from './configuration';
import { emptyLocalList, type LocalList, type TagInfo } from './local-list';

export type Status = V16Requests['StatusNotification']['status'];
export type StopReason = NonNullable<V16Requests['StopTransaction']['reason']>;
export type Reservation = Omit<V16Requests['ReserveNow'], 'expiryDate'> & { readonly expiresAt: Date };

export type DisplayMessage = V2Requests['SetDisplayMessage']['message'];
export type Monitor = V2Requests['SetVariableMonitoring']['setMonitoringData'][number] & { readonly id: number };
export type CertificateHashData = V2Requests['DeleteCertificate']['certificateHashData'];
export type NetworkProfile = V2Requests['SetNetworkProfile']['connectionData'];
export type EventStream = V2Requests['OpenPeriodicEventStream']['constantStreamData'];

export interface InstalledCertificate {
  /** As OCPP 2.x names it. */
  readonly type: V2Requests['InstallCertificate']['certificateType'];
  readonly hashData: CertificateHashData;
}

export interface Session {
  readonly idTag: string;
  readonly startedAt: Date;
  readonly meterStartWh: number;
  /** Undefined until the service has answered StartTransaction. */
  transactionId: number | undefined;
  /** Whether it follows the profile of priority charging (OCPP 2.1). */
  hasPriority?: boolean;
}

export interface Socket {
  /** From 1. */
  readonly id: number;
  isOperative: boolean;
  /** The availability that ChangeAvailability scheduled for the end of the session. */
  scheduledOperative: boolean | undefined;
  phase: 'free' | 'preparing' | 'charging' | 'finishing';
  session: Session | undefined;
  /** Set by a script in place of the socket's own status. */
  override: { readonly status: Status; readonly errorCode: string } | undefined;
  meterWh: number;
  /** Up to when `meterWh` counts. */
  meteredAt: Date;
}

export interface ChargerState {
  readonly sockets: readonly Socket[];
  readonly configuration: Configuration;
  readonly localList: LocalList;
  readonly cache: Map<string, TagInfo>;
  isOperative: boolean;
  reservations: readonly Reservation[];
  profiles: readonly InstalledProfile[];
  /** Of OCPP 2.x, as what follows up to the event streams. */
  displayMessages: readonly DisplayMessage[];
  monitors: readonly Monitor[];
  certificates: readonly InstalledCertificate[];
  /** How many SignCertificate were sent, and the number of the one whose certificate has not come. */
  certificateRequests: number;
  certificateRequest: number | undefined;
  /** By slot. None is used. */
  readonly networkProfiles: Map<number, NetworkProfile>;
  eventStreams: readonly EventStream[];
  firmware: { version: string; status: V16Requests['FirmwareStatusNotification']['status'] };
  diagnostics: V16Requests['DiagnosticsStatusNotification']['status'];
}

export function createChargerState(sockets: number, now: Date): ChargerState {
  return {
    sockets: Array.from({ length: sockets }, (_, i) => ({
      id: i + 1,
      isOperative: true,
      scheduledOperative: undefined,
      phase: 'free',
      session: undefined,
      override: undefined,
      meterWh: 0,
      meteredAt: now,
    })),
    configuration: initialConfiguration(sockets),
    localList: emptyLocalList(),
    cache: new Map(),
    isOperative: true,
    reservations: [],
    profiles: [],
    displayMessages: [],
    monitors: [],
    certificates: [],
    certificateRequests: 0,
    certificateRequest: undefined,
    networkProfiles: new Map(),
    eventStreams: [],
    firmware: { version: '1.0.0', status: 'Idle' },
    diagnostics: 'Idle',
  };
}

export function socketOf(state: ChargerState, id: number | undefined): Socket | undefined {
  return state.sockets.find((socket) => socket.id === id);
}

export function isBusy({ phase }: Socket): boolean {
  return phase === 'preparing' || phase === 'charging';
}
