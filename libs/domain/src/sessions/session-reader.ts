import type { Page, PageRequest } from '../page';
import type { MeterValueRow, Session, SessionSummary } from './session';
import type { SessionFilter, SessionSortKey } from './session-search';

/** What tells whose a session is that is under way. */
export type OngoingSession = Pick<Session, 'transactionId' | 'chargerId' | 'incarnationId'>;

export interface SessionReader {
  findByIds(sessionIds: readonly string[]): Promise<Session[]>;
  findByTransactions(transactionIds: readonly number[]): Promise<Session[]>;
  /** Sessions of the client under way with any of these tags. */
  findOngoingByTags(clientId: string, idTagKeys: readonly string[]): Promise<Session[]>;
  listOfCharger(chargerId: string, incarnationId: string, limit: number): Promise<Session[]>;
  /** Of any client, under way, with a transaction id beyond this one: the lowest ids, in ascending order. */
  ongoingAfter(transactionId: number, limit: number): Promise<OngoingSession[]>;
  list(clientId: string, filter: SessionFilter, page: PageRequest<SessionSortKey>): Promise<Page<Session>>;
  /** In ascending order, without counting all. */
  search(
    clientId: string,
    filter: SessionFilter,
    options: { readonly sortKey: SessionSortKey; readonly limit: number },
  ): Promise<SessionSummary[]>;
  meterValues(sessionId: string, limit: number): Promise<MeterValueRow[]>;
  meterValuesPage(sessionId: string, page: PageRequest<'receivedAt'>): Promise<Page<MeterValueRow>>;
}
