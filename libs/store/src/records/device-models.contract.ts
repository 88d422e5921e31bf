// The contract of device models, their reports, device states and event streams for every adapter.
import { createId } from '@busbar/core';
import {
  deviceModelOf,
  withVariables,
  type DeviceModelChange,
  type DeviceReportRow,
} from '@busbar/domain/device-model';
import {
  deviceStateOf,
  eventStreamsOf,
  NO_ITEMS,
  withMessages,
  withMonitors,
  withOpenStream,
  withoutItems,
  withStreamValues,
} from '@busbar/domain/device-state';
import { noRows, type ReportStore } from '@busbar/domain/reports';
import { newCharger } from '@busbar/domain/testing';
import type { Store } from '../port';
import { createReportStore } from './charger-state/report-store';
import { createRetentionStore } from './charger-state/retention-store';
import { createRecords } from './create-records';

const CHARGER = newCharger({ chargerId: 'ACME_1' });
const AT = '2026-01-01T00:00:00.000Z';
const VARIABLE = { name: 'C.V', component: 'C', variable: 'V', attributes: [{ type: 'Actual', value: '1' }] };
const { incarnationId } = CHARGER;

function row(requestId: number, part: Partial<DeviceReportRow>, ms = Date.now()): DeviceReportRow {
  const ids = { rowId: createId(ms), chargerId: 'ACME_1', incarnationId };
  return { ...ids, requestId, action: 'NotifyReport', receivedAt: AT, ...part };
}

/** `create` returns an empty store each time. */
export function describeDeviceModels(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let reports: ReportStore;
    let records: ReturnType<typeof createRecords>;
    beforeEach(async () => {
      store = create();
      reports = createReportStore(store);
      records = createRecords(store);
      await store.start();
    });
    afterEach(() => store.stop());

    const write = (change: DeviceModelChange) => reports.write({ ...noRows(), deviceModels: [change] }, []);

    it('149. keeps the model of a charger, and stores one of two simultaneous changes', async () => {
      const from = deviceModelOf(CHARGER, undefined);
      expect(await records.deviceModels.read(CHARGER)).toEqual(from);
      const to = { ...withVariables(from, [VARIABLE], { at: AT, position: [1, 2] }), applied: [[1, 2] as const] };
      expect(await write({ from, to })).toBe('written');
      expect(await write({ from, to })).toBe('conflict');
      const stored = await records.deviceModels.read(CHARGER);
      expect(stored).toMatchObject({ ...to, revision: 1 });
      expect(await write({ from: stored, to: { ...stored, isReported: true } })).toBe('written');
      expect(await write({ from: stored, to: { ...stored, isReported: false } })).toBe('conflict');
      expect((await reports.loadDeviceModels(['ACME_1', 'ACME_2'])).map(({ isReported }) => isReported)).toEqual([
        true,
      ]);
    });

    it('160. stores display messages and monitors in the device state', async () => {
      const from = deviceStateOf(CHARGER, undefined);
      const message = { id: 1, priority: 'InFront', message: { format: 'UTF8', content: 'é' } };
      const stored = { ...message, setAt: AT, commandId: null, position: [1, 2] as const };
      const displayMessages = withoutItems(withMessages(NO_ITEMS, [stored]), { ids: [2], position: [1, 3] });
      const named = { name: 'C.V', component: 'C', variable: 'V' };
      const monitor = { ...named, type: 'Delta', value: 0.5, severity: 5, transaction: false, origin: null };
      const monitors = withMonitors(NO_ITEMS, [{ ...monitor, id: 1, setAt: AT, commandId: null, position: [1, 2] }]);
      const change = { from, to: { ...from, displayMessages, monitors } };
      expect(await reports.write({ ...noRows(), deviceStates: [change] }, [])).toBe('written');
      expect(await records.deviceStates.read(CHARGER)).toMatchObject({ displayMessages, monitors });
    });

    it('115. stores event streams and their values, and one of two simultaneous changes', async () => {
      const from = eventStreamsOf(CHARGER, undefined);
      const stream = { id: 7, monitorId: 3, interval: 0.5, values: null, openedAt: AT, position: [1, 2] as const };
      const open = withOpenStream(from, CHARGER, stream);
      const values = withStreamValues(open, stream, [{ at: AT, value: 'é\u0000' }]);
      const to = { ...values, commandId: 'c', applied: [[1, 3] as const] };
      const change = async () => reports.write({ ...noRows(), eventStreams: [{ from, to }] }, []);
      expect([await change(), await change()]).toEqual(['written', 'conflict']);
      expect(await records.eventStreams.read(CHARGER)).toMatchObject({ ...to, revision: 1 });
      expect(await reports.loadEventStreams(['ACME_1', 'ACME_2'])).toHaveLength(1);
    });

    it('149. replaces the model of an earlier charger of that id', async () => {
      const from = deviceModelOf(CHARGER, undefined);
      await write({ from, to: withVariables(from, [VARIABLE], { at: AT, position: [1, 2] }) });
      const successor = { ...CHARGER, incarnationId: 'another' };
      const empty = await records.deviceModels.read(successor);
      expect(empty.variables).toEqual([]);
      expect(await write({ from: empty, to: empty })).toBe('written');
      expect((await records.deviceModels.read(CHARGER)).variables).toEqual([]);
    });

    it('151. finds the parts of a report and the last agreement to it', async () => {
      const [old, part, agreed] = [
        row(7, { action: 'GetBaseReport', kind: 'summary' }, 1_000),
        row(7, { seqNo: 0, items: [VARIABLE] }, 2_000),
        row(7, { action: 'GetBaseReport', kind: 'full', isEmpty: true }, 3_000),
      ];
      const last = row(7, { seqNo: 1, items: [], isLast: true }, 4_000);
      const rows = [last, agreed, part, old, row(8, { seqNo: 0, items: [] }, 2_500)];
      await reports.write({ ...noRows(), deviceReports: [...rows, part] }, []);
      const { deviceReports } = records;
      expect(await deviceReports.agreement(CHARGER, 7)).toMatchObject(agreed);
      expect(await deviceReports.agreement(CHARGER, 8)).toBeUndefined();
      const all = await deviceReports.rows(CHARGER, 7, { from: '', limit: 10 });
      expect(all.map(({ rowId }) => rowId)).toEqual([old, part, agreed, last].map(({ rowId }) => rowId));
      expect(await deviceReports.rows(CHARGER, 7, { from: old.rowId, isExclusive: true, limit: 1 })).toMatchObject([
        part,
      ]);
      expect(await deviceReports.rows(CHARGER, 7, { from: part.rowId, limit: 1 })).toMatchObject([part]);
      const [action, from] = ['NotifyReport', agreed.rowId];
      expect(await deviceReports.hasLast(CHARGER, 7, { action, from })).toBe(true);
      expect(await deviceReports.hasLast(CHARGER, 7, { action, from: `${last.rowId}0` })).toBe(false);
      expect(await deviceReports.hasLast(CHARGER, 7, { action: 'NotifyMonitoringReport', from })).toBe(false);
      expect(await deviceReports.hasLast(CHARGER, 8, { action, from: '' })).toBe(false);
      expect(await deviceReports.rows({ incarnationId: 'another' }, 7, { from: '', limit: 10 })).toEqual([]);
    });

    it('deletes parts of reports by their age', async () => {
      const rows = [1_000, 2_000, 3_000].map((ms) => row(7, { items: [] }, ms));
      await reports.write({ ...noRows(), deviceReports: rows }, []);
      const ages = [
        'log',
        'history',
        'sessions',
        'keys',
        'answers',
        'claims',
        'attempts',
        'deliveries',
        'deadDeliveries',
      ];
      const before = Object.fromEntries([...ages, 'gateways'].map((kind) => [kind, AT]));
      const commands = new Date(2_500).toISOString();
      await createRetentionStore(store).prune({ ...before, commands } as never, 10);
      expect(await records.deviceReports.rows(CHARGER, 7, { from: '', limit: 10 })).toHaveLength(1);
    });
  });
}
