// Attempts of chargers to connect that a gateway rejected: what somebody who commissions a charger looks for.
import type { ConnectionAttempt as ReportedAttempt } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';
import type { Page, PageRequest } from '../page';

/** A gateway's report, with the charger's owner. */
export interface ConnectionAttempt extends Omit<ReportedAttempt, 'id'> {
  readonly attemptId: string;
  /** The client that owned the charger then; null where nobody did. */
  readonly clientId: string | null;
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
  list(filter: ConnectionAttemptFilter, page: PageRequest<'at'>): Promise<Page<ConnectionAttempt>>;
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
