// Only here: the changes of commands are stored beside the charger's record, and as if delivered once after
// redeliveries, to the same replica or to one that has restarted.
import type { ReportEnvelope } from '@busbar/contracts';
import { createId } from '@busbar/core';
import { type Charger } from '@busbar/domain/chargers';
import { type DeviceState } from '@busbar/domain/device-state';
import fc from 'fast-check';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';
import { createReplica } from '../../testing/replica';
import { newReport } from '../../testing/report';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const ACCEPTED = { status: 'Accepted' };
const FUTURE = '2999-01-01T00:00:00.000Z';
const deviceStates = (): Promise<DeviceState> => world.platform.records.deviceStates.read(charger);
const profile = (chargingProfileId: number) => ({
  chargingProfileId,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: { duration: 60, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16.5 }] },
});

it('stores reservations, charging profiles and the local list as they were sent', async () => {
  const reserved = { reservationId: 1, connectorId: 1, idTag: 'Tag', expiryDate: FUTURE };
  const listed = { idTag: 'A', idTagInfo: ACCEPTED };
  await connection.outcome('ReserveNow', reserved, ACCEPTED);
  await connection.outcome('SetChargingProfile', { connectorId: 1, csChargingProfiles: profile(1) }, ACCEPTED);
  const list = { listVersion: 1, updateType: 'Full', localAuthorizationList: [listed] };
  await connection.outcome('SendLocalList', list, ACCEPTED);
  const used = { connectorId: 1, idTag: 'Tag', meterStart: 1, timestamp: new Date().toISOString(), reservationId: 1 };
  const { transactionId } = await connection.ask('StartTransaction', used);
  expect(await deviceStates()).toMatchObject({
    reservations: [{ reservationId: 1, socketId: 1, idTag: 'Tag', expiryDate: FUTURE, end: 'used', transactionId }],
    profiles: { installed: [{ profileId: 1, socketId: 1, profile: profile(1) }], clearings: [] },
    localList: { version: 1, entries: [{ idTag: 'A', status: 'Accepted' }], isComplete: true },
  });
});

it('leaves charging profiles cleared that moved to another socket, also after redeliveries', async () => {
  const set = (connectorId: number) =>
    connection.outcome('SetChargingProfile', { connectorId, csChargingProfiles: profile(1) }, ACCEPTED);
  const clear = () => connection.outcome('ClearChargingProfile', { connectorId: 1 }, ACCEPTED);
  const sent = [await set(0), await set(1), await clear()];
  for (const report of sent) await connection.publish(report);
  expect((await deviceStates()).profiles).toMatchObject({ installed: [], clearings: [{}] });
});

const untimed = (reported: Charger['reported']) => ({
  ...reported,
  lastSeen: null,
  lastMessage: null,
  lastPosition: null,
});

it('stores outcomes of Reset, ClearCache, TriggerMessage, UnlockConnector and DataTransfer in the log alone', async () => {
  const before = (await world.read(charger)).reported;
  await connection.outcome('Reset', { type: 'Soft' }, ACCEPTED);
  await connection.outcome('ClearCache', {}, ACCEPTED);
  await connection.outcome('TriggerMessage', { requestedMessage: 'Heartbeat' }, ACCEPTED);
  await connection.outcome('UnlockConnector', { connectorId: 1 }, { status: 'Unlocked' });
  await connection.outcome('DataTransfer', { vendorId: 'V' }, ACCEPTED);
  expect(untimed((await world.read(charger)).reported)).toEqual(untimed(before));
  expect(await deviceStates()).toMatchObject({ revision: 0, reservations: [], localList: null });
  expect((await world.log(charger)).map(({ source }) => source)).toEqual(Array(5).fill('service'));
});

it('never gives the device state of a deleted charger to the one recreated under its id', async () => {
  const sent = { listVersion: 1, updateType: 'Full', localAuthorizationList: [{ idTag: 'A', idTagInfo: ACCEPTED }] };
  await connection.outcome('SendLocalList', sent, ACCEPTED);
  const again = { ...charger, incarnationId: createId() };
  expect((await world.platform.records.deviceStates.read(again)).localList).toBeNull();
});

interface Call {
  readonly action: string;
  readonly request: object;
}

describe('messages that are delivered twice', () => {
  const connector = fc.integer({ min: 0, max: 2 });
  const level = fc.integer({ min: 0, max: 2 });
  const id = fc.integer({ min: 1, max: 3 });
  const idTag = fc.constantFrom('A', 'b', 'B', 'C');
  const step = fc.oneof(
    fc.tuple(id, connector).map(([reservationId, connectorId]) => ({
      action: 'ReserveNow',
      request: { reservationId, connectorId, idTag: 'T', expiryDate: FUTURE },
    })),
    id.map((reservationId) => ({ action: 'CancelReservation', request: { reservationId } })),
    fc.tuple(id, connector, level).map(([chargingProfileId, connectorId, stackLevel]) => ({
      action: 'SetChargingProfile',
      request: {
        connectorId,
        csChargingProfiles: {
          ...profile(chargingProfileId),
          stackLevel,
        },
      },
    })),
    connector.map((connectorId) => ({ action: 'ClearChargingProfile', request: { connectorId } })),
    fc.tuple(fc.boolean(), idTag, fc.boolean(), id).map(([full, tag, off, listVersion]) => ({
      action: 'SendLocalList',
      request: {
        listVersion,
        updateType: full ? 'Full' : 'Differential',
        localAuthorizationList: [{ idTag: tag, ...(off ? {} : { idTagInfo: ACCEPTED }) }],
      },
    })),
    fc.tuple(connector, fc.constantFrom('Operative', 'Inoperative')).map(([connectorId, type]) => ({
      action: 'ChangeAvailability',
      request: { connectorId, type },
    })),
    fc.tuple(idTag, idTag).map(([key, value]) => ({ action: 'ChangeConfiguration', request: { key, value } })),
  );
  const script = fc.array(fc.tuple(step, fc.option(fc.tuple(fc.nat(5), fc.nat(3)), { freq: 3 })), {
    minLength: 3,
    maxLength: 12,
  });

  /** All stored state, without what identifies the charger, the command or the time. */
  async function kept(): Promise<unknown> {
    const { reservations, profiles, localList } = await deviceStates();
    const { configuration, availability } = (await world.read(charger)).reported;
    const all = { reservations, profiles, localList, configuration, availability };
    return JSON.parse(
      JSON.stringify(all, (name, value: unknown) =>
        ['commandId', 'at', 'setAt', 'reservedAt', 'updatedAt', 'position'].includes(name) ? undefined : value,
      ),
    );
  }

  /** The end of that CALL to the charger, which accepted it. */
  const endOf = ({ chargerId, incarnationId }: Charger, seq: number, { action, request }: Call): ReportEnvelope =>
    newReport({
      kind: 'outcome',
      action,
      chargerId,
      incarnationId,
      seq,
      commandId: createId(),
      sentAfter: seq - 1,
      payload: { outcome: 'answered', payload: ACCEPTED },
      raw: JSON.stringify([3, 'm', ACCEPTED]),
      request: JSON.stringify([2, 'm', action, request]),
    });

  it('stores them as if delivered once', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        charger = await world.register();
        let replica = createReplica(world);
        await replica(...steps.map(([call], n) => endOf(charger, n + 1, call)));
        const once = await kept();

        charger = await world.register();
        const sent: ReportEnvelope[] = [];
        for (const [n, [call, again]] of steps.entries()) {
          sent.push(endOf(charger, n + 1, call));
          await replica(...sent.slice(-1));
          // A resumed replica, or one that takes over with an empty memory, gets some of the last messages again.
          if (again === null) continue;
          const [count, butLast] = again;
          if (count === 0) replica = createReplica(world);
          for (const report of sent.slice(-count - butLast - 1, sent.length - butLast)) await replica(report);
        }
        expect(await kept()).toEqual(once);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
