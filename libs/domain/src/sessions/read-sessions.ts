import { AppError } from '@busbar/core';
import type { Page, PageRequest } from '../page';
import type { MeterValueRow, Session, SessionSummary, TransactionEventRow } from './session';
import type { SessionReader } from './session-reader';
import type { LocatedSession, SessionFilter, SessionSortKey } from './session-search';
import type { SiteReader } from '../sites/site';

/** The most sessions that a transaction search returns. */
export const MAX_TRANSACTIONS = 1000;

export interface ReadSessionsDeps {
  readonly sessions: Pick<
    SessionReader,
    'list' | 'search' | 'findByTransactions' | 'meterValuesPage' | 'transactionEventsPage'
  >;
  readonly sites: Pick<SiteReader, 'findMany'>;
}

/** A page of a client's sessions, including those of deleted chargers. */
export async function listSessions(
  deps: ReadSessionsDeps,
  clientId: string,
  filter: SessionFilter,
  page: PageRequest<SessionSortKey>,
): Promise<Page<LocatedSession>> {
  const found = await deps.sessions.list(clientId, filter, page);
  return { ...found, items: await located(deps, clientId, found.items) };
}

/**
 * The matching sessions, oldest first; sorted by their end where only the end is filtered. A caller that receives
 * `MAX_TRANSACTIONS` continues from the last one's time. Throws `invalid_request` without a time criterion.
 */
export async function searchTransactions(
  deps: ReadSessionsDeps,
  clientId: string,
  filter: SessionFilter,
): Promise<LocatedSession<SessionSummary>[]> {
  const byStart = filter.startedFrom !== undefined || filter.startedTo !== undefined;
  const byEnd = filter.endedFrom !== undefined || filter.endedTo !== undefined;
  if (!byStart && !byEnd) {
    throw new AppError(
      'invalid_request',
      'Give at least one of startTime, startTimeSearchEnd, stopTimeSearchBegin and stopTime.',
    );
  }
  const found = await deps.sessions.search(clientId, filter, {
    sortKey: byStart ? 'startTime' : 'endTime',
    limit: MAX_TRANSACTIONS,
  });
  return located(deps, clientId, found);
}

/** Throws `not_found` when there is no such session or it is another client's. */
export async function readSession(
  deps: ReadSessionsDeps,
  clientId: string,
  transactionId: number,
): Promise<LocatedSession> {
  const [placed] = await located(deps, clientId, [await ownSession(deps, clientId, transactionId)]);
  if (placed === undefined) throw new Error('the session is missing among the located ones');
  return placed;
}

/** A page of a session's meter values as received and in that order. Throws `not_found` as `readSession` does. */
export async function readMeterValues(
  deps: ReadSessionsDeps,
  owner: { readonly clientId: string; readonly transactionId: number },
  page: PageRequest<'receivedAt'>,
): Promise<Page<MeterValueRow>> {
  const { sessionId } = await ownSession(deps, owner.clientId, owner.transactionId);
  return deps.sessions.meterValuesPage(sessionId, page);
}

/**
 * A page of the TransactionEvents of a session, in the order of their numbers. Throws `not_found` as `readSession` does;
 * `not_supported_by_version` for a session of OCPP 1.6.
 */
export async function readTransactionEvents(
  deps: ReadSessionsDeps,
  owner: { readonly clientId: string; readonly transactionId: number },
  page: PageRequest<'seqNo'>,
): Promise<Page<TransactionEventRow>> {
  const { sessionId, device } = await ownSession(deps, owner.clientId, owner.transactionId);
  if (device === undefined) {
    throw new AppError(
      'not_supported_by_version',
      `The session ${String(owner.transactionId)} began in OCPP 1.6, which has no TransactionEvent.`,
    );
  }
  return deps.sessions.transactionEventsPage(sessionId, page);
}

async function ownSession(deps: ReadSessionsDeps, clientId: string, transactionId: number): Promise<Session> {
  const [session] = await deps.sessions.findByTransactions([transactionId]);
  if (session?.clientId === clientId) return session;
  throw new AppError('not_found', `There is no session ${String(transactionId)}.`);
}

async function located<S extends SessionSummary>(
  deps: ReadSessionsDeps,
  clientId: string,
  sessions: readonly S[],
): Promise<LocatedSession<S>[]> {
  const siteIds = [...new Set(sessions.map(({ siteId }) => siteId))];
  const sites = await deps.sites.findMany(clientId, siteIds);
  const names = new Map(sites.map(({ siteId, name }) => [siteId, name]));
  return sessions.map((session) => ({ session, siteName: names.get(session.siteId) ?? '' }));
}
