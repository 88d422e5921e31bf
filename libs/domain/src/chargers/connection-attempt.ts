// Attempts of chargers to connect that a gateway rejected: what somebody who commissions a charger looks for.
import type { Timestamp } from '../timestamp';
import type { Listed, PageWanted } from '../listing';

/** The first rejected attempt of a charger with a reason, or those of a minute after it. */
export interface ConnectionAttempt {
  readonly attemptId: string;
  /** As the request named it, registered or not; null where it named none. */
  readonly chargerId: string | null;
  /** Whose charger it was then; null: nobody's. */
  readonly clientId: string | null;
  readonly remoteAddress: string | null;
  readonly reason: string;
  /** The subprotocols that it offered. */
  readonly protocols: readonly string[];
  /** In the response to the last of them. */
  readonly requestId: string;
  /** When the last of them was. */
  readonly at: Timestamp;
  /** How many. */
  readonly count: number;
}

/** What is absent does not narrow; timestamps are inclusive. */
export interface ConnectionAttemptFilter {
  /** Absent: of all clients, and of nobody's chargers too. */
  readonly clientId?: string | undefined;
  readonly chargerId?: string | undefined;
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
}

export interface ConnectionAttemptReader {
  list(filter: ConnectionAttemptFilter, page: PageWanted<'at'>): Promise<Listed<ConnectionAttempt>>;
}

export interface ConnectionAttemptBounds {
  readonly perCharger: number;
  /** Of nobody's chargers, together. */
  readonly unknown: number;
}

export interface ConnectionAttemptWriter {
  /** One that is there already is success. Beyond the bounds the oldest are deleted. */
  keep(attempts: readonly ConnectionAttempt[], bounds: ConnectionAttemptBounds): Promise<void>;
}
