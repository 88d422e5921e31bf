// The history of a charger's connections, for those who look for the cause of a charger that drops out.
import type { Timestamp } from '../../timestamp';
import type { Page, PageRequest } from '../../page';

/** One websocket of a charger. */
export interface ConnectionRecord {
  readonly connectionId: string;
  readonly chargerId: string;
  /** An incarnation belongs to one client. */
  readonly incarnationId: string;
  /** The number of the report within its connection that the record shows. */
  readonly seq: number;
  readonly connectedAt: Timestamp;
  /** Null while the connection is open. */
  readonly disconnectedAt: Timestamp | null;
  readonly gatewayId: string;
  readonly remoteAddress: string | null;
  readonly ocppVersion: string;
  readonly securityProfile: number | null;
  /** Null while the connection is open, and where no gateway reported its end. */
  readonly closeCode: number | null;
  /** In words. */
  readonly closeReason: string | null;
}

/** The end of a connection that its gateway has not reported, and perhaps never does. */
export interface ConnectionReplaced {
  readonly connectionId: string;
  readonly at: Timestamp;
}

/** The reasons of connections whose gateway did not report their end. */
export const UNREPORTED_ENDS = {
  replaced: 'replaced by a newer connection of this charger',
  gateway_lost:
    'the gateway was lost: its process was killed, or it could not reach the broker for longer than its lease',
} as const;

/** Timestamps of the beginning, inclusive. An absent field does not filter. */
export interface ConnectionFilter {
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
}

export interface ConnectionReader {
  list(
    incarnationId: string,
    filter: ConnectionFilter,
    page: PageRequest<'connectedAt'>,
  ): Promise<Page<ConnectionRecord>>;
}
