import type { Page, PageRequest } from '../page';
import type { Timestamp } from '../timestamp';
import type { MeterValueRow, Session, SessionSummary, TransactionEventRow } from './session';
import type { SessionFilter, SessionSortKey } from './session-search';

/** Sessions of one key that are read: a charger reuses an id after its transaction, so one of them is meant. */
export const SESSIONS_OF_KEY = 8;

/** The fields that identify the charger of an ongoing session. */
export type OngoingSession = Pick<Session, 'transactionId' | 'chargerId' | 'incarnationId'>;

export interface SessionReader {
  findByIds(sessionIds: readonly string[]): Promise<Session[]>;
  findByTransactions(transactionIds: readonly number[]): Promise<Session[]>;
  /** Of transactions of OCPP 2.x with any of these keys: of each the last `SESSIONS_OF_KEY`. */
  findByDeviceKeys(keys: readonly string[]): Promise<Session[]>;
  /** The client's ongoing sessions with any of these tags. */
  findOngoingByTags(clientId: string, idTagKeys: readonly string[]): Promise<Session[]>;
  /** When the newest session with each of these tags started, by the tag's key. A tag without a stored session is absent. */
  findLastStarts(clientId: string, idTagKeys: readonly string[]): Promise<ReadonlyMap<string, Timestamp>>;
  /** Ongoing sessions of any client with a greater transaction id, lowest ids first. */
  ongoingAfter(transactionId: number, limit: number): Promise<OngoingSession[]>;
  list(clientId: string, filter: SessionFilter, page: PageRequest<SessionSortKey>): Promise<Page<Session>>;
  /** In ascending order, without a total. */
  search(
    clientId: string,
    filter: SessionFilter,
    options: { readonly sortKey: SessionSortKey; readonly limit: number },
  ): Promise<SessionSummary[]>;
  meterValuesPage(sessionId: string, page: PageRequest<'receivedAt'>): Promise<Page<MeterValueRow>>;
  /** Events of the same `seqNo` follow in the order of their row ids. */
  transactionEventsPage(sessionId: string, page: PageRequest<'seqNo'>): Promise<Page<TransactionEventRow>>;
}
