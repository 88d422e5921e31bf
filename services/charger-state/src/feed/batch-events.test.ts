// Events that other writers appended to a charger's record, as the owner of its partition numbers them.
import type { FeedEvent } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import type { AppendedEvent } from '@busbar/domain/feed';
import { chargerWith } from '../testing/handler-situation';
import { createBatchEvents } from './batch-events';

const AT = '2026-01-01T12:00:00.000Z';
const renamed = (at: string): AppendedEvent => ({ type: 'charger.updated', at, data: { changed: ['name'] } });

function numbered(outbox: Charger['outbox'], reported: Partial<Charger['reported']> = {}) {
  const events = createBatchEvents(() => null);
  const charger = { ...chargerWith(reported), ...(outbox && { outbox }) };
  const after = events.takeAppended(charger);
  const { items = '', first, next } = events.byCharger.get('CHARGER') ?? {};
  return { events, charger, after, made: JSON.parse(`[${items}]`) as FeedEvent[], first, next };
}

it('numbers appended events in the order of their ids, behind those that were numbered before', () => {
  const others = { '01B': renamed('2026-01-01T12:00:02.000Z'), '01A': renamed('2026-01-01T12:00:01.000Z') };
  const { made, first, next, after } = numbered({
    page: 4,
    items: '{}',
    first: 7,
    next: 8,
    others,
    appended: 2,
    waiting: AT,
  });
  expect(made.map(({ sequence, timestamp }) => [sequence, timestamp])).toEqual([
    [8, '2026-01-01T12:00:01.000Z'],
    [9, '2026-01-01T12:00:02.000Z'],
  ]);
  expect([first, next]).toEqual([8, 10]);
  expect(after.outbox).toEqual({ page: 4, items: '{}', first: 7, next: 8 });
});

it('begins with 1 where the charger had no event', () => {
  const created: AppendedEvent = { type: 'charger.created', at: AT, data: { name: 'x' } };
  const { made } = numbered({ others: { '01A': created }, appended: 1, waiting: AT });
  expect(made).toMatchObject([{ type: 'charger.created', sequence: 1, timestamp: AT, data: { name: 'x' } }]);
});

it('adds the states from then on to the end of a connection', () => {
  const lapsed: AppendedEvent = { type: 'charger.disconnected', at: AT, data: { reason: 'lapsed' } };
  const status = { state: 'Charging', errorCode: '', info: '', vendorErrorCode: '', at: AT, position: [1, 2] } as const;
  const reported = { ownState: 'Charging', sockets: { '1': status } } as const;
  const { made } = numbered({ others: { '01A': lapsed }, appended: 1, waiting: AT }, reported);
  expect(made.map(({ type, data }) => [type, data])).toEqual([
    ['charger.disconnected', { reason: 'lapsed', sockets: [{ socketId: 1, state: 'Offline' }] }],
    ['charger.state_changed', { state: 'Offline', previousState: 'Charging' }],
  ]);
});

it('makes one event of those that the record could not store, and counts them', () => {
  const { made, events } = numbered({ others: { '01A': renamed(AT) }, appended: 31, waiting: AT });
  expect(made.map(({ data }) => data)).toEqual([{ changed: ['name'] }, { changed: ['*'] }]);
  expect(events.collapsed()).toBe(30);
});

it('leaves a record without appended events as it is', () => {
  const { charger, after, made } = numbered({ page: 1, items: '{}', first: 1, next: 2 });
  expect(after).toBe(charger);
  expect(made).toEqual([]);
});
