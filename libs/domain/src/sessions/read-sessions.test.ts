import { newSession } from '../testing/session';
import { newSite } from '../testing/site';
import { storedSites } from '../testing/stored-sites';
import {
  listSessions,
  readMeterValues,
  readSession,
  readTransactionEvents,
  searchTransactions,
  type ReadSessionsDeps,
} from './read-sessions';
import type { Session } from './session';
import type { SessionFilter } from './session-search';

const AT = '2026-01-01T00:00:00.000Z';
const HERE = newSession({ transactionId: 7 });
const DELETED_SITE = newSession({ transactionId: 8, siteId: 80 });
const FOREIGN_SITE = newSession({ transactionId: 9, siteId: 6 });
const FOREIGN = newSession({ transactionId: 10, clientId: 'other' });
const DEVICE = {
  id: 'T-1',
  key: 'key',
  evseId: 1,
  connectorId: 1,
  idTokenType: null,
  chargingState: null,
  timeSpentChargingS: null,
  startKnown: true,
  missingEvents: [],
  facts: {},
  revision: 1,
};
const OF_DEVICE = newSession({ transactionId: 12, device: DEVICE });
const SESSIONS = [HERE, DELETED_SITE, FOREIGN_SITE, FOREIGN, OF_DEVICE];

function open() {
  const own = SESSIONS.filter(({ clientId, device }) => clientId === 'client' && device === undefined);
  const sessions = {
    list: jest.fn(() => Promise.resolve({ items: own, total: 12, next: { value: AT, tie: 9 } })),
    search: jest.fn(() => Promise.resolve(own)),
    meterValuesPage: jest.fn(() => Promise.resolve({ items: [], total: 0 })),
    transactionEventsPage: jest.fn(() => Promise.resolve({ items: [], total: 0 })),
    findByTransactions: (ids: readonly number[]) =>
      Promise.resolve(SESSIONS.filter(({ transactionId }) => ids.includes(transactionId))),
  };
  const sites = storedSites(newSite(), newSite({ siteId: 6, clientId: 'other' }));
  return { sessions, deps: { sessions, sites } satisfies ReadSessionsDeps };
}

function unknown(transactionId: number) {
  return { code: 'not_found', message: `There is no session ${String(transactionId)}.` };
}
const LOCATED = [
  { session: HERE, siteName: 'Site 1' },
  { session: DELETED_SITE, siteName: '' },
  { session: FOREIGN_SITE, siteName: '' },
];

describe('reading a session', () => {
  it.each<[string, Session, string]>([
    ['names its site', HERE, 'Site 1'],
    ['names no site where that was deleted', DELETED_SITE, ''],
    ["never names another client's site", FOREIGN_SITE, ''],
  ])('%s', async (_title, session, siteName) => {
    expect(await readSession(open().deps, 'client', session.transactionId)).toEqual({ session, siteName });
  });

  it.each([
    ['refuses an unknown one', 11],
    ["refuses another client's", 10],
  ])('%s, and its meter values', async (_title, transactionId) => {
    const { deps, sessions } = open();
    const page = { page: 1, limit: 5, sortKey: 'receivedAt', sortDescending: false } as const;
    await expect(readSession(deps, 'client', transactionId)).rejects.toMatchObject(unknown(transactionId));
    const values = readMeterValues(deps, { clientId: 'client', transactionId }, page);
    await expect(values).rejects.toMatchObject(unknown(transactionId));
    expect(sessions.meterValuesPage).not.toHaveBeenCalled();
  });

  describe('with its transaction events', () => {
    const page = { page: 2, limit: 5, sortKey: 'seqNo', sortDescending: false } as const;

    it('reads their page', async () => {
      const { deps, sessions } = open();
      const owner = { clientId: 'client', transactionId: 12 };
      expect(await readTransactionEvents(deps, owner, page)).toEqual({ items: [], total: 0 });
      expect(sessions.transactionEventsPage).toHaveBeenCalledWith('s12', page);
    });

    it.each([
      ['of OCPP 1.6', 7, { code: 'not_supported_by_version' }],
      ['that is unknown', 11, unknown(11)],
      ["that is another client's", 10, unknown(10)],
    ])('refuses a session %s', async (_title, transactionId, refusal) => {
      const { deps, sessions } = open();
      const owner = { clientId: 'client', transactionId };
      await expect(readTransactionEvents(deps, owner, page)).rejects.toMatchObject(refusal);
      expect(sessions.transactionEventsPage).not.toHaveBeenCalled();
    });
  });

  it('reads the page of its meter values', async () => {
    const { deps, sessions } = open();
    const page = { page: 2, limit: 5, sortKey: 'receivedAt', sortDescending: false } as const;
    const owner = { clientId: 'client', transactionId: 7 };
    expect(await readMeterValues(deps, owner, page)).toEqual({ items: [], total: 0 });
    expect(sessions.meterValuesPage).toHaveBeenCalledWith('s7', page);
  });
});

it('lists a page of sessions with the names of their sites, and keeps what else the page has', async () => {
  const { deps, sessions } = open();
  const page = { page: 1, limit: 3, sortKey: 'startTime', sortDescending: true } as const;
  const listed = await listSessions(deps, 'client', { state: 'ended' }, page);
  expect(listed).toEqual({ items: LOCATED, total: 12, next: { value: AT, tie: 9 } });
  expect(sessions.list).toHaveBeenCalledWith('client', { state: 'ended' }, page);
});

describe('a search of transactions', () => {
  it.each<[string, SessionFilter, 'startTime' | 'endTime']>([
    ['is sorted by the start after a time', { startedFrom: AT }, 'startTime'],
    ['is sorted by the start until a time', { startedTo: AT }, 'startTime'],
    ['is sorted by the end after a time', { endedFrom: AT }, 'endTime'],
    ['is sorted by the end until a time', { endedTo: AT }, 'endTime'],
    ['is sorted by the start where both are filtered', { startedTo: AT, endedFrom: AT }, 'startTime'],
  ])('%s', async (_title, filter, sortKey) => {
    const { deps, sessions } = open();
    expect(await searchTransactions(deps, 'client', filter)).toEqual(LOCATED);
    expect(sessions.search).toHaveBeenCalledWith('client', filter, { sortKey, limit: 1000 });
  });

  it('is refused without a time', async () => {
    const { deps, sessions } = open();
    const message = 'Give at least one of startTime, startTimeSearchEnd, stopTimeSearchBegin and stopTime.';
    const refusal = { code: 'invalid_request', message };
    await expect(searchTransactions(deps, 'client', { idTags: ['Tag'] })).rejects.toMatchObject(refusal);
    expect(sessions.search).not.toHaveBeenCalled();
  });
});
