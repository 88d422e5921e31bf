// The contract of sessions of OCPP 2.x for every adapter: found by their charger's own id, and replaced by compare-and-set.
import { noRows, type ReportStore } from '@busbar/domain/reports';
import {
  SESSIONS_OF_KEY,
  type DeviceTransaction,
  type Session,
  type SessionReader,
  type TransactionChange,
} from '@busbar/domain/sessions';
import { newDeviceTransaction, newSession } from '@busbar/domain/testing';
import type { Store } from '../../port';
import { createRecords } from '../create-records';
import { createReportStore } from './report-store';

type TransactionSession = TransactionChange['session'];

function sessionOf(transactionId: number, parts: Partial<Session> = {}, device: Partial<DeviceTransaction> = {}) {
  const facts = { earliest: '2026-01-01T00:00:00.000Z', sequences: [[0, 3]] };
  const own = newDeviceTransaction({ key: 'key', startKnown: false, facts, ...device });
  return { ...newSession({ transactionId, meterStart: null, ...parts }), device: own };
}

const EVENT = {
  chargerId: 'ACME_1',
  incarnationId: 'ACME_1-1',
  clientId: 'client',
  receivedAt: '2026-01-01T00:00:01.000Z',
  eventType: 'Updated',
  triggerReason: 'MeterValuePeriodic',
  chargingState: null,
  offline: false,
  timestamp: '2026-01-01T00:00:00.000Z',
};

/** `create` returns an empty store each time. */
export function describeTransactions(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let reports: ReportStore;
    let sessions: SessionReader;
    beforeEach(async () => {
      store = create();
      ({ sessions } = createRecords(store));
      reports = createReportStore(store);
      await store.start();
    });
    afterEach(() => store.stop());

    const write = (rows: Partial<ReturnType<typeof noRows>>) => reports.write({ ...noRows(), ...rows }, []);
    const stored = async (id: number) => (await sessions.findByTransactions([id]))[0];
    const change = (session: TransactionSession, from: TransactionChange['from'], changesState = false) =>
      write({ transactions: [{ session, from, changesState }] });

    it('stores what the charger alone reports, as it is', async () => {
      const session = sessionOf(1);
      expect(await write({ sessions: [session] })).toBe('written');
      expect(await stored(1)).toMatchObject({ ...session });
    });

    it('replaces a session that is unchanged, and no other', async () => {
      await write({ sessions: [sessionOf(1), sessionOf(2)] });
      const after = sessionOf(1, { socketId: 102, idTag: 'X', meterStart: 5 }, { revision: 2, evseId: 1 });
      expect(await change(after, { revision: 1 })).toBe('written');
      expect(await stored(1)).toMatchObject({
        socketId: 102,
        idTag: 'X',
        meterStart: 5,
        device: { evseId: 1, revision: 2 },
      });
      expect(await change(after, { revision: 1 })).toBe('conflict');
      expect(await stored(2)).toMatchObject({ socketId: 1, device: { revision: 1 } });
    });

    it('does not replace what its operator has ended meanwhile', async () => {
      await write({ sessions: [sessionOf(1)] });
      const end = { state: 'ended', endTime: '2026-01-01T01:00:00.000Z', stopReason: 'Other' } as const;
      expect(await createRecords(store).sessions.end({ sessionId: 's1', state: 'ongoing' }, end)).toBe(true);
      const after = sessionOf(1, {}, { revision: 2 });
      expect(await change(after, { revision: 1 })).toBe('conflict');
      expect(await change({ ...after, ...end, endedBy: 'operator' }, { revision: 1, endedBy: 'operator' })).toBe(
        'written',
      );
    });

    it('leaves the state to others, unless the transaction changed it', async () => {
      await write({ sessions: [sessionOf(1)] });
      const after = sessionOf(1, {}, { revision: 2 });
      await write({
        superseded: ['s1'],
        transactions: [{ session: after, from: { revision: 1 }, changesState: false }],
      });
      expect(await stored(1)).toMatchObject({ state: 'superseded', device: { revision: 2 } });
      await change(sessionOf(1, { state: 'ended' }, { revision: 3 }), { revision: 2 }, true);
      expect(await stored(1)).toMatchObject({ state: 'ended' });
    });

    it('replaces a session that began in the same batch', async () => {
      const after = sessionOf(1, { idTag: 'Y' }, { revision: 2 });
      const transactions = [{ session: after, from: { revision: 1 }, changesState: false }];
      expect(await write({ sessions: [sessionOf(1)], transactions })).toBe('written');
      expect(await stored(1)).toMatchObject({ idTag: 'Y' });
    });

    it('lists the events of a session by their numbers, then by their ids, each once', async () => {
      const row = (rowId: string, seqNo: number, sessionId = 's1') => ({ ...EVENT, rowId, seqNo, sessionId });
      const rows = [row('d', 10), row('c', 2), row('a', 2), row('e', 9), row('x', 1, 's2')];
      await write({ transactionEvents: rows });
      expect(await write({ transactionEvents: [row('a', 2), row('b', 0)] })).toBe('written');
      const page = { page: 1, limit: 3, sortKey: 'seqNo', sortDescending: false } as const;
      const first = await sessions.transactionEventsPage('s1', page);
      expect(first.total).toBe(5);
      expect(first.items).toMatchObject([row('b', 0), row('a', 2), row('c', 2)]);
      const second = await sessions.transactionEventsPage('s1', { ...page, page: 2 });
      expect(second.items.map(({ rowId }) => rowId)).toEqual(['e', 'd']);
    });

    it('finds the last sessions of each key', async () => {
      const many = Array.from({ length: SESSIONS_OF_KEY + 2 }, (_, n) => sessionOf(n + 1));
      await write({ sessions: [...many, sessionOf(50, {}, { key: 'other' }), newSession({ transactionId: 60 })] });
      const found = await sessions.findByDeviceKeys(['key', 'other', 'none']);
      expect(found.map(({ transactionId }) => transactionId).toSorted((a, b) => a - b)).toEqual([
        ...many.slice(2).map(({ transactionId }) => transactionId),
        50,
      ]);
      expect(await sessions.findByDeviceKeys([])).toEqual([]);
    });
  });
}
