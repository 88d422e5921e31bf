import { createId } from '@busbar/core';
import type { LogReader, LogRow } from '@busbar/domain/history';
import { createFakeClock } from '@busbar/testing';
import { openLogEvents } from './log-events';

const CHARGER = { chargerId: 'ACME_1', incarnationId: 'i' };
const START_MS = Date.parse('2026-01-01T00:00:00.000Z');

/** A subscription that gets these batches. */
async function open(...batches: readonly (readonly LogRow[])[]) {
  const left = [...batches];
  const clock = createFakeClock();
  const history: LogReader = {
    newestLogId: () => Promise.resolve(undefined),
    logIds: () => Promise.resolve([]),
    logRows: () => Promise.resolve([]),
  };
  const next = () => Promise.resolve(left.shift() ?? ('charger_deleted' as const));
  const feeds = { subscribe: () => Promise.resolve({ next, close: () => undefined }) };
  const source = await openLogEvents({ history, feeds, clock }, { charger: CHARGER, cursor: undefined });
  return { source, clock };
}

function rows(count: number, from = 0): LogRow[] {
  return Array.from({ length: count }, (_, n) => ({
    ...CHARGER,
    rowId: createId(START_MS + from + n),
    messageId: String(from + n),
    at: new Date(START_MS).toISOString(),
    ocppVersion: 'ocpp1.6',
    action: 'Heartbeat',
    source: 'charger' as const,
    request: '[2,"m","Heartbeat",{}]',
    response: '',
  }));
}

const shown = (event: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['source']['next']>>): unknown =>
  event?.event === undefined ? (event?.data as { messageId: string }).messageId : event;

it('sends the newest fifty rows of a second, and how many it skipped before them', async () => {
  const { source } = await open(rows(120));
  expect(shown(await source.next())).toEqual({ event: 'skipped', data: { rows: 70 } });
  for (let n = 70; n < 120; n += 1) expect(shown(await source.next())).toBe(String(n));
  expect(await source.next()).toMatchObject({ event: 'end' });
});

it('sends fifty more a second later, and skips none at that rate', async () => {
  const { source, clock } = await open(rows(50), rows(30, 50), rows(25, 80));
  for (let n = 0; n < 50; n += 1) expect(shown(await source.next())).toBe(String(n));
  clock.advance(1_000);
  for (let n = 50; n < 80; n += 1) expect(shown(await source.next())).toBe(String(n));
  expect(shown(await source.next())).toEqual({ event: 'skipped', data: { rows: 5 } });
  for (let n = 85; n < 105; n += 1) expect(shown(await source.next())).toBe(String(n));
});
