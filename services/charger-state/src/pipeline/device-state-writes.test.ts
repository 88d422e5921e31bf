// The device state is written before the record, by the replica that is first. A crash in between, or two concurrent
// replicas, lose nothing and repeat nothing.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError, createId } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import { createReportStore } from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica } from '../testing/replica';
import { newReport } from '../testing/report';

let world: ChargerStateWorld;
let charger: Charger;
let store: ReportStore;
let seq: number;

beforeAll(async () => {
  world = await openWorld();
  store = createReportStore(world.platform.store);
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  seq = 0;
});

function reserve(reservationId: number): ReportEnvelope {
  const request = { reservationId, connectorId: 1, idTag: 'T', expiryDate: '2999-01-01T00:00:00Z' };
  const { chargerId, incarnationId } = charger;
  return newReport({
    kind: 'outcome',
    chargerId,
    incarnationId,
    seq: (seq += 1),
    action: 'ReserveNow',
    commandId: createId(),
    raw: '[3,"m",{}]',
    request: JSON.stringify([2, 'm', 'ReserveNow', request]),
    payload: { outcome: 'answered', payload: { status: 'Accepted' } },
  });
}

const replica = (reports: ReportStore) => createReplica(world, { reports });

/** A store whose process dies before it writes the records. */
function dying(): ReportStore {
  return {
    ...store,
    async write(rows) {
      await store.write(rows, []);
      throw new AppError('unavailable', 'the process died');
    },
  };
}

const reserved = async () =>
  (await world.platform.records.deviceStates.read(charger)).reservations.map(({ reservationId }) => reservationId);

it('repeats both writes once after a crash between device state and record', async () => {
  const report = reserve(1);
  await expect(replica(dying())(report)).rejects.toThrow('died');
  expect([await reserved(), (await world.read(charger)).applied]).toEqual([[1], []]);
  await replica(store)(report, reserve(2));
  expect(await reserved()).toEqual([1, 2]);
  expect((await world.read(charger)).applied).toEqual([[1, 2]]);
  const { revision } = await world.platform.records.deviceStates.read(charger);
  await replica(store)(report);
  expect((await world.platform.records.deviceStates.read(charger)).revision).toBe(revision);
});

it('starts again, and reverts nothing, when another replica wrote meanwhile', async () => {
  const [first, second, third] = [reserve(1), reserve(2), reserve(3)];
  const another = replica(store);
  let interrupted = false;
  const slow: ReportStore = {
    ...store,
    async write(rows, changes) {
      if (!interrupted) await another(first, second);
      interrupted = true;
      return store.write(rows, changes);
    },
  };
  await replica(slow)(first);
  expect(await reserved()).toEqual([1, 2]);
  await replica(slow)(third);
  expect(await reserved()).toEqual([1, 2, 3]);
});

it('does its own part when another replica wrote the device state and died', async () => {
  const [first, second] = [reserve(1), reserve(2)];
  let interrupted = false;
  const slow: ReportStore = {
    ...store,
    async write(rows, changes) {
      if (!interrupted) await expect(replica(dying())(first)).rejects.toThrow('died');
      interrupted = true;
      return store.write(rows, changes);
    },
  };
  await replica(slow)(first, second);
  expect(await reserved()).toEqual([1, 2]);
  expect((await world.read(charger)).applied).toEqual([[1, 2]]);
});

it('115. writes the values of many notifications of a batch once', async () => {
  const { chargerId, incarnationId } = charger;
  const next = (action: string, payload: ReportEnvelope['payload'], kind: ReportEnvelope['kind'] = 'report') =>
    newReport({ kind, chargerId, incarnationId, seq: (seq += 1), ocppVersion: 'ocpp2.1', action, payload });
  const constantStreamData = { id: 7, variableMonitoringId: 3, params: {} };
  const notify = (v: number) => {
    const data = [{ t: v, v: String(v) }];
    return next('NotifyPeriodicEventStream', { id: 7, pending: 0, basetime: '2026-01-01T00:00:00.000Z', data });
  };
  await replica(store)(next('OpenPeriodicEventStream', { constantStreamData }, 'decision'));
  const stored = () => world.platform.records.eventStreams.read(charger);
  const { revision } = await stored();
  const storm = Array.from({ length: 1_100 }, (_, n) => notify(n));
  await replica(store)(...storm);
  const after = await stored();
  expect(after.revision).toBe(revision + 1);
  expect(after.series).toMatchObject([{ id: 7 }]);
  expect(after.series[0]?.values.map(({ value }) => value)).toEqual(
    Array.from({ length: 1_000 }, (_, n) => String(n + 100)),
  );
  // A part of the batch is delivered again.
  await replica(store)(...storm.slice(-3));
  expect(await stored()).toEqual(after);
});
