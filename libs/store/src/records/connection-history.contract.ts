// The contract of the history of connections for every adapter.
import type { Records } from '@busbar/domain';
import type { ConnectionRecord } from '@busbar/domain/chargers';
import { noRows, type ReportRows } from '@busbar/domain/reports';
import type { Store } from '../port';
import { MAX_CONNECTIONS } from './connection-history';
import { createRecords } from './create-records';
import { createPresenceStore, createReportStore } from './charger-state/report-store';
import { createRetentionStore } from './charger-state/retention-store';

const NEWEST = { page: 1, limit: 100, sortKey: 'connectedAt', sortDescending: true } as const;
const minute = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

function open(connectionId: string, over: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    connectionId,
    chargerId: 'A',
    incarnationId: 'i',
    seq: 1,
    connectedAt: minute(0),
    disconnectedAt: null,
    gatewayId: 'g',
    remoteAddress: '198.51.100.7',
    ocppVersion: 'ocpp1.6',
    securityProfile: 2,
    closeCode: null,
    closeReason: null,
    ...over,
  };
}

/** `create` returns an empty store each time. */
export function describeConnectionHistory(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let history: Records['connectionHistory'];
    beforeEach(async () => {
      store = create();
      history = createRecords(store).connectionHistory;
      await store.start();
    });
    afterEach(() => store.stop());

    const write = (rows: Partial<ReportRows>) => createReportStore(store).write({ ...noRows(), ...rows }, []);
    const listed = async (incarnationId = 'i', filter = {}) =>
      (await history.list(incarnationId, filter, NEWEST)).items;
    const closed = open('1', {
      seq: 9,
      disconnectedAt: minute(5),
      closeCode: 1001,
      closeReason: 'closed by the charger',
    });

    it('shows the report with the greatest number, in whatever order they arrive and how often', async () => {
      await write({ connections: [open('1'), closed] });
      await write({ connections: [closed, open('1', { seq: 3 })] });
      await write({ connections: [open('1')] });
      expect(await listed()).toEqual([expect.objectContaining(closed)]);
    });

    it('opens a connection again that its gateway reports later', async () => {
      await write({ connections: [open('1')] });
      await createPresenceStore(store).disconnectAll('g', minute(7));
      expect(await listed()).toMatchObject([{ disconnectedAt: minute(7), closeCode: null }]);
      await write({ connections: [open('1', { seq: 2, gatewayId: 'h' })] });
      expect(await listed()).toMatchObject([{ disconnectedAt: null, gatewayId: 'h', closeReason: null }]);
    });

    it('ends the open connections of a lost gateway alone', async () => {
      await write({ connections: [closed, open('2'), open('3', { gatewayId: 'h' })] });
      await createPresenceStore(store).disconnectAll('g', minute(7));
      const ends = (await listed()).map(({ connectionId, disconnectedAt }) => [connectionId, disconnectedAt]);
      expect(Object.fromEntries(ends)).toEqual({ 1: minute(5), 2: minute(7), 3: null });
    });

    it('ends a connection by a newer one in the same batch, and corrects it by the report of its end', async () => {
      const newer = open('2', { connectedAt: minute(3) });
      await write({
        connections: [open('1'), newer],
        replacedConnections: [{ connectionId: '1', at: minute(3) }],
      });
      expect(await listed()).toMatchObject([
        { connectionId: '2', disconnectedAt: null },
        { disconnectedAt: minute(3) },
      ]);
      await write({ connections: [closed], replacedConnections: [{ connectionId: '1', at: minute(3) }] });
      expect((await listed())[1]).toMatchObject({ disconnectedAt: minute(5), closeCode: 1001 });
    });

    it('lists one registration of a charger, and by the time of the beginning', async () => {
      const others = open('3', { incarnationId: 'other' });
      await write({ connections: [open('1'), open('2', { connectedAt: minute(3) }), others] });
      const ids = async (filter: object) => (await listed('i', filter)).map(({ connectionId }) => connectionId);
      expect(await ids({})).toEqual(['2', '1']);
      expect(await ids({ from: minute(1) })).toEqual(['2']);
      expect(await ids({ to: minute(1) })).toEqual(['1']);
      expect(await listed('other')).toHaveLength(1);
    });

    it('deletes what ended long ago, and what belongs to a deleted charger', async () => {
      await write({ connections: [closed, open('2')] });
      const at = minute(6);
      const before = { log: at, history: at, sessions: at, keys: at, answers: at, claims: at };
      const more = { commands: at, attempts: at, gateways: at, deliveries: at, deadDeliveries: at };
      expect(await createRetentionStore(store).prune({ ...before, ...more }, 10)).toMatchObject({ connections: 1 });
      expect(await listed()).toMatchObject([{ connectionId: '2' }]);
      await write({ connectionsOfDeleted: ['2'] });
      expect(await listed()).toEqual([]);
    });

    it('keeps the newest of a charger', async () => {
      const rows = Array.from({ length: MAX_CONNECTIONS + 20 }, (_, n) => {
        return open(`${String(n).padStart(5, '0')}x`, { connectedAt: minute(n), disconnectedAt: minute(n + 1) });
      });
      await write({ connections: rows });
      // Its last character chooses it to delete those above the limit.
      await write({ connections: [open('99999G', { connectedAt: minute(5000) })] });
      const { total } = await history.list('i', {}, NEWEST);
      expect(total).toBe(MAX_CONNECTIONS);
    });
  });
}
