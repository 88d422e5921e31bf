// Rejected connection attempts of chargers, for those who commission a charger.
import type { ConnectionAttempt as ReportedAttempt } from '@busbar/contracts';
import type { Timestamp } from '../../timestamp';
import type { Page, PageRequest } from '../../page';

/** A gateway's report, with the charger's owner. */
export interface ConnectionAttempt extends Omit<ReportedAttempt, 'id'> {
  readonly attemptId: string;
  /** The client that owned the charger then; null where nobody did. */
  readonly clientId: string | null;
}

/** An absent field does not filter; timestamps are inclusive. */
export interface ConnectionAttemptFilter {
  /** Absent: chargers of all clients, and unregistered ones. */
  readonly clientId?: string | undefined;
  readonly chargerId?: string | undefined;
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
}

export interface ConnectionAttemptReader {
  list(filter: ConnectionAttemptFilter, page: PageRequest<'at'>): Promise<Page<ConnectionAttempt>>;
}

export interface ConnectionAttemptLimits {
  readonly perCharger: number;
  /** Unregistered chargers, together. */
  readonly unknown: number;
}

export interface ConnectionAttemptWriter {
  /** An existing attempt is success. The oldest beyond the limits are deleted. */
  insert(attempts: readonly ConnectionAttempt[], limits: ConnectionAttemptLimits): Promise<void>;
}
