// Partial writes, and late reports of an older connection, lead to correct state: for sessions that replace each other,
// and for the device state.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError, createId } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import { newTag } from '@busbar/domain/testing';
import { createReportStore, type BulkOperation, type Document, type Store } from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica, withoutOrder, type ReplicaOptions } from '../testing/replica';
import { newReport } from '../testing/report';

let world: ChargerStateWorld;
let charger: Charger;

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
});

type Place = readonly [order: number, seq: number];
type Fields = Readonly<Record<string, unknown>>;
const ACCEPTED = { status: 'Accepted' };
const UNAVAILABLE = new AppError('unavailable', 'the store is unavailable');
const T0 = Date.now() - 600_000;

function report([order, seq]: Place, action: string, over: Partial<ReportEnvelope>): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  const receivedAt = new Date().toISOString();
  return newReport({ chargerId, incarnationId, order, seq, action, messageId: createId(), receivedAt, ...over });
}

/** `n`: the seconds between the others and the begin of this transaction. */
const start = (at: Place, idTag: string, n: number, over: Fields = {}): ReportEnvelope =>
  report(at, 'StartTransaction', {
    payload: { connectorId: 1, idTag, meterStart: n, timestamp: new Date(T0 + n * 1_000).toISOString(), ...over },
  });

const outcome = (at: Place, action: string, request: Fields): ReportEnvelope =>
  report(at, action, {
    kind: 'outcome',
    payload: { outcome: 'answered', payload: ACCEPTED },
    commandId: createId(),
    request: JSON.stringify([2, 'm', action, request]),
  });

const reserve = (at: Place, reservationId: number): ReportEnvelope =>
  outcome(at, 'ReserveNow', { reservationId, connectorId: 1, idTag: 'T', expiryDate: '2999-01-01T00:00:00Z' });

const profile = (at: Place, chargingProfileId: number): ReportEnvelope =>
  outcome(at, 'SetChargingProfile', {
    connectorId: 1,
    csChargingProfiles: {
      chargingProfileId,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Absolute',
      chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    },
  });

const replica = (options?: ReplicaOptions) => createReplica(world, options);

/** The store is unavailable once, for a write of this kind. */
function unavailableOnce(isMeant: (operation: BulkOperation<Document>, collection: string) => boolean): Store {
  let isArmed = true;
  return withoutOrder(world.platform.store, ({ collection, operations, write }) => {
    if (!isArmed || !operations.some((operation) => isMeant(operation, collection))) return write();
    isArmed = false;
    return Promise.reject(UNAVAILABLE);
  });
}

const sessions = async () =>
  Object.fromEntries((await world.sessions(charger)).map(({ idTag, state }) => [idTag, state]));
const ongoing = async () => (await world.read(charger)).reported.ongoing['1']?.idTag;
const deviceStates = () => world.platform.records.deviceStates.read(charger);
const reserved = async () => (await deviceStates()).reservations.map(({ reservationId }) => reservationId);

describe('a second start at a socket', () => {
  it('replaces the first one, also when the store fails between the two writes', async () => {
    const apply = replica({
      store: unavailableOnce((operation) => 'filter' in operation && operation.update.set?.['state'] === 'superseded'),
    });
    await apply(start([1, 2], 'X', 1));
    const second = start([1, 3], 'Y', 2);
    await expect(apply(second)).rejects.toThrow('the store is unavailable');
    expect(await sessions()).toEqual({ X: 'ongoing', Y: 'ongoing' });
    await apply(second);
    expect(await sessions()).toEqual({ X: 'superseded', Y: 'ongoing' });
  });

  it('supersedes a refused one that charges, also in the same batch', async () => {
    const { tags } = world.platform.records;
    await tags.put(newTag({ clientId: world.clientId, idTag: 'Bad', blocked: true }));
    const apply = replica({ store: withoutOrder(world.platform.store, ({ write }) => write()) });
    const [begun] = await apply(start([1, 2], 'Bad', 1));
    const transactionId = begun?.answer?.['transactionId'];
    const payload = { connectorId: 1, transactionId, meterValue: [] };
    await apply(report([1, 3], 'MeterValues', { kind: 'report', payload }), start([1, 4], 'Y', 2));
    expect(await sessions()).toEqual({ Bad: 'superseded', Y: 'ongoing' });
  });

  it('stays when an older connection reports its start late', async () => {
    const apply = replica();
    await apply(start([2, 2], 'New', 5));
    await apply(start([1, 2], 'Old', 1));
    expect(await sessions()).toEqual({ New: 'ongoing', Old: 'superseded' });
    expect(await ongoing()).toBe('New');
  });

  it('stays when the first one is sent again', async () => {
    const apply = replica();
    await apply(start([1, 2], 'X', 1), start([1, 3], 'Y', 2), start([1, 4], 'X', 1));
    expect(await sessions()).toEqual({ X: 'superseded', Y: 'ongoing' });
    expect(await ongoing()).toBe('Y');
  });
});

describe('the device state of a charger', () => {
  it('does not reach the charger recreated under its id, also by a late replica', async () => {
    await replica()(reserve([1, 1], 1));
    const late = reserve([1, 2], 2);
    const real = createReportStore(world.platform.store);
    let isPaused = true;
    const paused: ReportStore = {
      ...real,
      async write(rows, changes) {
        if (isPaused) {
          isPaused = false;
          await world.platform.records.chargers.remove(await world.read(charger));
          charger = await world.register(charger.chargerId);
          await replica()(reserve([1, 1], 77));
        }
        return real.write(rows, changes);
      },
    };
    await replica({ reports: paused })(late);
    expect(await reserved()).toEqual([77]);
    await replica()(reserve([1, 2], 78));
    expect(await reserved()).toEqual([77, 78]);
  });

  it('stays when a replaced profile is delivered again', async () => {
    const apply = replica();
    const outdone = profile([1, 5], 1);
    await apply(profile([2, 2], 2));
    await apply(outdone);
    await apply(outcome([2, 3], 'ClearChargingProfile', { id: 2 }));
    await apply(outdone);
    expect((await deviceStates()).profiles.installed).toEqual([]);
  });

  it('does not claim a complete local list when an update is reported too late', async () => {
    const send = (at: Place, listVersion: number, updateType: string, idTag: string) =>
      outcome(at, 'SendLocalList', {
        listVersion,
        updateType,
        localAuthorizationList: [{ idTag, idTagInfo: ACCEPTED }],
      });
    const list = async () => {
      const { version, isComplete, entries = [] } = (await deviceStates()).localList ?? {};
      return [version, isComplete, entries.map(({ idTag }) => idTag)];
    };
    const apply = replica();
    await apply(send([1, 1], 1, 'Full', 'A'), send([2, 1], 3, 'Differential', 'C'));
    expect(await list()).toEqual([3, true, ['A', 'C']]);
    await apply(send([1, 2], 2, 'Differential', 'B'));
    expect(await list()).toEqual([3, false, ['A', 'C']]);
    await apply(send([2, 2], 4, 'Full', 'D'));
    await apply(send([1, 3], 2, 'Differential', 'E'));
    expect(await list()).toEqual([4, true, ['D']]);
  });

  it('names the id of the transaction, also when its start was written twice', async () => {
    const apply = replica({
      store: unavailableOnce((operation, name) => 'insert' in operation && name === 'sessions'),
    });
    await apply(reserve([1, 2], 1));
    const begun = start([1, 3], 'Tag', 300, { reservationId: 1 });
    await expect(apply(begun)).rejects.toThrow('the store is unavailable');
    await apply(begun);
    const [session] = await world.sessions(charger);
    expect((await deviceStates()).reservations).toMatchObject([{ end: 'used', transactionId: session?.transactionId }]);
  });
});
