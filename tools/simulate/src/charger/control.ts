// The interfaces of the parts of a simulated charger.
import type { Clock } from '@busbar/core';
import type { CallResult, V16Action, V16Requests } from '@busbar/ocpp';
import type { ChargerState } from './charger-state';
import type { Sessions } from './sessions';

/** Counted and shown by the program. */
export interface ChargerEvents {
  readonly onConnected: () => void;
  readonly onDisconnected: () => void;
  readonly onFrame: (from: 'charger' | 'service', text: string) => void;
  readonly onFailure: (reason: string) => void;
  readonly onStarted: () => void;
  readonly onEnergy: (wattHours: number) => void;
}

/** Sends a CALL. A failure is counted, unless the connection ended. */
export type Notify = <A extends V16Action>(action: A, payload: V16Requests[A]) => Promise<CallResult>;

/** The operations on a charger for the actions of the service. */
export interface ChargerControl {
  readonly chargerId: string;
  readonly state: ChargerState;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly notify: Notify;
  /** Reports the statuses that have changed; with a socket, that one again. 0 is the charger. */
  reportStatuses(again?: readonly number[]): void;
  /** Sends MeterValues of a socket now: of its session, where it has one. Throws `not_found`. */
  sendReading(socketId: number): void;
  /** Stops sessions, closes the connection, connects again and boots. */
  reset(reason: 'SoftReset' | 'HardReset' | 'Reboot'): Promise<void>;
  /** Closes the connection and connects again, from now on with this password. */
  changePassword(password: string | Buffer): Promise<void>;
  /** Runs once after the next accepted boot. */
  onceBooted(run: () => void): void;
  /** Sends a BootNotification without a reset. */
  boot(): Promise<unknown>;
  /** Applies intervals that have changed. */
  armTimers(): void;
}
