import { createFakeClock } from '@busbar/testing';
import { newCharger, storedChargers } from '../testing';
import { readDeviceReport, type DeviceReportReader, type DeviceReportRow } from './device-report';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const clock = createFakeClock();
const NOW = clock.now().toISOString();
const minutesAgo = (minutes: number): string => new Date(clock.now().getTime() - minutes * 60_000).toISOString();

let ids = 0;
function part(fields: Partial<DeviceReportRow>): DeviceReportRow {
  const rowId = String((ids += 1)).padStart(6, '0');
  const row = { rowId, chargerId: 'ACME_1', incarnationId: 'i', requestId: 7, action: 'NotifyReport', receivedAt: NOW };
  return { ...row, ...fields };
}

function read(rows: readonly DeviceReportRow[]) {
  const sorted = rows.toSorted((a, b) => (a.rowId < b.rowId ? -1 : 1));
  const deviceReports: DeviceReportReader = {
    rows: (_charger, requestId, { from, isExclusive = false, limit }) =>
      Promise.resolve(
        sorted
          .filter((row) => row.requestId === requestId && (isExclusive ? row.rowId > from : row.rowId >= from))
          .slice(0, limit),
      ),
    agreement: () => Promise.resolve(sorted.findLast(({ kind }) => kind !== undefined)),
    hasLast: (_charger, _requestId, { action, from }) =>
      Promise.resolve(sorted.some((row) => row.rowId >= from && row.action === action && row.isLast === true)),
  };
  const chargers = storedChargers(newCharger({ chargerId: 'ACME_1', clientId: 'client' }));
  return readDeviceReport({ chargers, deviceReports, clock }, OWNER, 7);
}

const agreed = (fields: Partial<DeviceReportRow> = {}) =>
  part({ action: 'GetBaseReport', kind: 'full', partAction: 'NotifyReport', ...fields });

it('151. has the items in the order of their numbers, each once', async () => {
  const first = agreed();
  const parts = [part({ seqNo: 1, items: ['b'], isLast: true }), part({ seqNo: 0, items: ['a'] })];
  const again = part({ seqNo: 1, items: ['b'] });
  expect(await read([first, ...parts, again])).toEqual({
    requestId: 7,
    kind: 'full',
    state: 'complete',
    parts: 2,
    action: 'NotifyReport',
    items: ['a', 'b'],
    hasMore: false,
  });
});

it.each([
  ['pending', 'was agreed', [agreed()]],
  ['pending', 'has a part of nine minutes ago', [part({ seqNo: 0, items: [], receivedAt: minutesAgo(9) })]],
  ['incomplete', 'has no further part for ten minutes', [part({ seqNo: 0, items: [], receivedAt: minutesAgo(10) })]],
  ['complete', 'is empty', [agreed({ isEmpty: true, receivedAt: minutesAgo(60) })]],
  ['incomplete', 'was agreed again after its end', [part({ isLast: true }), agreed({ receivedAt: minutesAgo(10) })]],
])('151. is %s where it %s', async (state, _title, rows) => {
  expect(await read(rows)).toMatchObject({ state });
});

it('151. has the parts that came before the response to its request', async () => {
  const old = part({ seqNo: 0, items: ['old'] });
  const early = part({ seqNo: 0, items: ['a'], isLast: true });
  const report = await read([old, early, agreed({ firstRowId: early.rowId })]);
  expect(report).toMatchObject({ kind: 'full', state: 'complete', items: ['a'] });
});

it('151. has nothing of another report with the same number', async () => {
  const first = agreed();
  const other = part({ action: 'NotifyMonitoringReport', seqNo: 0, items: ['monitor'], isLast: true });
  const own = part({ seqNo: 0, items: ['a'] });
  expect(await read([first, other, own])).toMatchObject({ state: 'pending', items: ['a'], action: 'NotifyReport' });
  expect(await read([other, own])).toMatchObject({ state: 'complete', items: ['monitor'] });
});

it('151. is complete with the last part and all below it', async () => {
  const [first, second, third] = [0, 1, 2].map((seqNo) =>
    part({ seqNo, items: [seqNo], ...(seqNo === 2 && { isLast: true }) }),
  );
  if (first === undefined || second === undefined || third === undefined) throw new Error('three parts');
  expect(await read([first, third])).toMatchObject({ state: 'pending' });
  expect(await read([first, second])).toMatchObject({ state: 'pending' });
  expect(await read([third, first, second])).toMatchObject({ state: 'complete' });
  const numberless = [part({ action: 'ReportChargingProfiles', items: ['p'] })];
  expect(await read(numberless)).toMatchObject({ state: 'pending' });
  const last = part({ action: 'ReportChargingProfiles', items: ['q'], isLast: true });
  expect(await read([...numberless, last])).toMatchObject({ state: 'complete', items: ['p', 'q'] });
});

it('151. is pending where a last part has a number far beyond the others', async () => {
  const parts = [part({ seqNo: 0, items: ['a'] }), part({ seqNo: 2_147_483_647, items: ['b'], isLast: true })];
  expect(await read(parts)).toMatchObject({ state: 'pending', parts: 2 });
});

it('151. is not found where the charger has sent none', async () => {
  await expect(read([])).rejects.toMatchObject({ code: 'not_found' });
});

it('151. shows 5,000 items at most', async () => {
  const items = Array.from({ length: 100 }, (_, n) => n);
  const report = await read(Array.from({ length: 51 }, (_, seqNo) => part({ seqNo, items })));
  expect([report.items.length, report.hasMore]).toEqual([5_000, true]);
});
