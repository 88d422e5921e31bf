// Periodic event streams of OCPP 2.1: what messages store of them.
import type { Charger } from '@busbar/domain/chargers';
import { openStreams, valuesOf, type EventStreams } from '@busbar/domain/device-state';
import { answered2, chargerWith, handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { bootNotification } from './boot-notification';
import {
  adjustPeriodicEventStreamOutcome,
  closePeriodicEventStream,
  getPeriodicEventStreamOutcome,
  notifyPeriodicEventStream,
  openPeriodicEventStream,
} from './event-streams';
import type { RequestOf } from './route';

type Params = RequestOf<'AdjustPeriodicEventStream'>['params'];
type Element = RequestOf<'NotifyPeriodicEventStream'>['data'][number];

/** A charger and its streams, over several messages. */
function open() {
  let [reported, eventStreams, seq]: [Partial<Charger['reported']>, Partial<EventStreams>, number] = [{}, {}, 10];
  function next<P, A>(handler: Parameters<typeof handle<P, A>>[0], payload: P, at?: Situation['position']) {
    seq += 1;
    const result = handle(handler, payload, {
      reported,
      eventStreams,
      position: at ?? [1, seq],
      report: { commandId: 'c' },
    });
    reported = result.charger.reported;
    const [row] = result.rows.eventStreams;
    if (row !== undefined) eventStreams = row.to;
    return result;
  }
  const stored = (): EventStreams => eventStreams as EventStreams;
  return {
    open: (id: number, variableMonitoringId = 3, params: Params = {}, at?: Situation['position']) =>
      next(openPeriodicEventStream, { constantStreamData: { id, variableMonitoringId, params } }, at),
    close: (id: number) => next(closePeriodicEventStream, { id }),
    notify: (id: number, data: readonly Element[], basetime = '2026-06-01T11:00:00.000Z') =>
      next(notifyPeriodicEventStream, { id, pending: 0, basetime, data }),
    adjust: (id: number, params: Params, status: 'Accepted' | 'Rejected' = 'Accepted') =>
      next(adjustPeriodicEventStreamOutcome, answered2<'AdjustPeriodicEventStream'>({ id, params }, { status })),
    list: (...ids: number[]) => {
      const constantStreamData = ids.map((id) => ({ id, variableMonitoringId: 3, params: {} }));
      const response = ids.length === 0 ? {} : { constantStreamData };
      return next(getPeriodicEventStreamOutcome, answered2<'GetPeriodicEventStream'>({}, response));
    },
    boot: () => next(bootNotification, { reason: 'PowerUp', chargingStation: { vendorName: 'v', model: 'm' } }),
    get streams() {
      return openStreams(stored(), chargerWith(reported));
    },
    get numbers() {
      return this.streams.map(({ id }) => id);
    },
    get listedAt() {
      return stored().streams.listedAt;
    },
    values: (id: number, monitorId = 3) => valuesOf(stored(), { id, monitorId }),
    texts: (id: number, monitorId = 3) => valuesOf(stored(), { id, monitorId }).map(({ value }) => value),
  };
}

it('115. stores a stream that the charger opens with its monitor, and an event of the charger', () => {
  const world = open();
  const { answer, rows } = world.open(7, 3, { interval: 10, values: 2 });
  expect(answer).toEqual({ status: 'Accepted' });
  expect(rows.events).toHaveLength(1);
  expect(world.streams).toMatchObject([{ id: 7, monitorId: 3, interval: 10, values: 2, openedAt: RECEIVED_AT }]);
  world.close(7);
  expect(world.streams).toEqual([]);
});

it('115. accepts 32 streams of a charger, and each of them again, but no other', () => {
  const world = open();
  for (let id = 1; id <= 32; id += 1) expect(world.open(id).answer).toEqual({ status: 'Accepted' });
  expect(world.open(33).answer).toEqual({ status: 'Rejected' });
  expect(world.open(1).answer).toEqual({ status: 'Accepted' });
  expect(world.streams).toHaveLength(32);
  world.close(5);
  expect(world.open(33).answer).toEqual({ status: 'Accepted' });
});

it('119. accepts a stream that is open as it was, and stores nothing, unless the message is delivered again', () => {
  const world = open();
  const params = { interval: 10, values: 2 };
  world.open(7, 3, params, [1, 5]);
  const again = world.open(7, 3, params, [2, 1]);
  expect([again.answer, again.rows.events, again.rows.eventStreams]).toEqual([{ status: 'Accepted' }, [], []]);
  expect(world.open(7, 3, params, [1, 5]).rows.events).toHaveLength(1);
  expect(world.open(7, 3, { interval: 5, values: 2 }).rows.events).toHaveLength(1);
});

it('119. stores nothing of a repeated message that is delivered again after a boot', () => {
  const world = open();
  world.open(7, 3, {}, [1, 5]);
  world.open(7, 3, {}, [1, 6]);
  world.boot();
  const { answer, rows } = world.open(7, 3, {}, [1, 6]);
  expect([answer, rows.events, rows.eventStreams]).toEqual([{ status: 'Accepted' }, [], []]);
});

it('119. opens a stream that it has rejected, where the message is sent again and there is room by now', () => {
  const world = open();
  for (let id = 1; id <= 33; id += 1) world.open(id, 3, {}, [1, id]);
  world.close(5);
  expect(world.open(33, 3, {}, [2, 1]).answer).toEqual({ status: 'Accepted' });
  expect(world.notify(33, [{ t: 0, v: '1' }]).deviations).toBeUndefined();
});

it('115. stores the values of a notification with their times, and no event', () => {
  const world = open();
  world.open(7);
  const { rows, deviations } = world.notify(7, [
    { t: 0, v: '1' },
    { t: 0.25, v: '2' },
  ]);
  expect([rows.events, deviations]).toEqual([[], undefined]);
  world.notify(7, [{ t: 3_600, v: '3' }]);
  expect(world.values(7)).toEqual([
    { at: '2026-06-01T11:00:00.000Z', value: '1' },
    { at: '2026-06-01T11:00:00.250Z', value: '2' },
    { at: '2026-06-01T12:00:00.000Z', value: '3' },
  ]);
});

it.each([
  ['an offset beyond all times', 1e300, '2026-06-01T11:00:00.000Z'],
  ['a time that cannot be parsed', 0, 'yesterday'],
])('115. stores a value with %s at the time of receipt', (_what, t, basetime) => {
  const world = open();
  world.open(7);
  world.notify(7, [{ t, v: '1' }], basetime);
  expect(world.values(7)).toEqual([{ at: RECEIVED_AT, value: '1' }]);
});

it('115. drops and counts a notification of a stream that is not open', () => {
  const world = open();
  world.open(7);
  world.close(7);
  const { rows, deviations } = world.notify(7, [{ t: 0, v: '1' }]);
  expect([rows.eventStreams, deviations]).toEqual([[], ['unusable_send']]);
});

it('115. keeps the last thousand values of a stream, and 64 KiB of them', () => {
  const world = open();
  world.open(7);
  world.open(8);
  const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, t) => ({ t, v: of(t) }));
  world.notify(
    7,
    many(900, (n) => `a${String(n)}`),
  );
  world.notify(
    7,
    many(200, (n) => `b${String(n)}`),
  );
  expect(world.texts(7)).toHaveLength(1_000);
  expect([world.texts(7)[0], world.texts(7).at(-1)]).toEqual(['a100', 'b199']);
  world.notify(
    8,
    many(40, (n) => 'é'.repeat(1_024) + String(n)),
  );
  expect(world.texts(8)).toHaveLength(31);
  expect(world.texts(8).at(-1)).toMatch(/39$/);
});

it('115. keeps 256 KiB of the values of all streams of a charger, and drops the oldest of the largest', () => {
  const world = open();
  const values = (count: number) => Array.from({ length: count }, (_, t) => ({ t, v: String(t).padStart(52, '0') }));
  world.open(1);
  world.notify(1, values(100));
  for (let id = 2; id <= 5; id += 1) {
    world.open(id);
    world.notify(id, values(1_000));
  }
  // 100 bytes each, with the time: 2,621 of 4,100 fit.
  const kept = [1, 2, 3, 4, 5].map((id) => world.texts(id).length);
  expect(kept).toEqual([100, 630, 630, 630, 631]);
  expect(world.texts(2).at(-1)).toMatch(/999$/);
});

it('115. keeps the values of a stream that is opened again for its monitor, but not for another', () => {
  const world = open();
  world.open(7);
  world.notify(7, [{ t: 0, v: '1' }]);
  world.open(7, 3, { interval: 5 });
  expect([world.streams, world.texts(7)]).toMatchObject([[{ id: 7, interval: 5 }], ['1']]);
  world.open(7, 4);
  expect([world.streams, world.texts(7), world.texts(7, 4)]).toMatchObject([[{ id: 7, monitorId: 4 }], [], []]);
});

it('115. ends all streams at a boot, and their values', () => {
  const world = open();
  world.open(7);
  world.notify(7, [{ t: 0, v: '1' }]);
  world.boot();
  expect(world.streams).toEqual([]);
  expect(world.notify(7, [{ t: 0, v: '2' }]).deviations).toEqual(['unusable_send']);
  world.open(8, 3, {}, [0, 5]);
  expect(world.streams).toEqual([]);
  world.open(7);
  expect([world.numbers, world.texts(7)]).toEqual([[7], []]);
});

it('130. stores the parameters that the charger has adjusted, where it accepts them', () => {
  const world = open();
  world.open(7, 3, { interval: 10, values: 2 });
  world.adjust(7, { values: 9 });
  world.adjust(7, { interval: 1 }, 'Rejected');
  world.adjust(8, { interval: 1 });
  expect(world.streams).toMatchObject([{ id: 7, interval: 10, values: 9 }]);
});

it('130. replaces the streams by a list of the charger, whose values stay', () => {
  const world = open();
  world.open(6);
  world.open(7);
  world.notify(7, [{ t: 0, v: '1' }]);
  world.list(7, 8);
  expect([world.numbers, world.texts(7), world.listedAt]).toEqual([[7, 8], ['1'], RECEIVED_AT]);
  world.list();
  expect([world.numbers, world.texts(7)]).toEqual([[], []]);
});
