import type { BootReport } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { handle, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { bootNotification as boot16 } from '../v16/boot-notification';
import { ongoingOf } from '../v16/meter-values';
import { bootNotification as boot2 } from '../v2/boot-notification';

const BOOT: BootReport = {
  manufacturer: 'M',
  model: 'X',
  serial: '',
  firmware: '1',
  iccid: '',
  imsi: '',
  meterType: '',
  meterSerialNumber: '',
  at: secondsBefore(600),
  position: [1, 1],
};
const STATUS = { state: 'Available' as const, errorCode: '', info: '', vendorErrorCode: '', at: secondsBefore(600) };
const session = sessionWith();

function situation(majorVersion: 2 | undefined): Situation {
  return {
    sessions: [session],
    reported: {
      boot: { ...BOOT, ...(majorVersion === undefined ? {} : { majorVersion }) },
      configuration: [{ configName: 'A', configValue: '1', canBeChanged: true }],
      configurationPosition: [1, 2],
      sockets: { '1': { ...STATUS, position: [1, 2] } },
      ongoing: { '1': ongoingIn(majorVersion) },
    },
  };
}

/** The session as the record shows it, begun in a version. */
function ongoingIn(majorVersion: 2 | undefined): OngoingTransaction {
  const device = { id: 'D', chargingState: null, wasEnergized: false };
  return { ...ongoingOf(session, [1, 3]), ...(majorVersion === 2 && { device }) };
}

const to16 = (now: Situation) => handle(boot16, { chargePointVendor: 'M', chargePointModel: 'X' }, now);
const to2 = (now: Situation) =>
  handle(boot2, { reason: 'PowerUp', chargingStation: { vendorName: 'M', model: 'X' } }, now);

it.each([
  ['1.6 to 2.x', to2, undefined],
  ['2.x to 1.6', to16, 2],
] as const)(
  '138. drops configuration and sessions of a charger that changes from %s, and no socket',
  (_title, boot, from) => {
    const { charger, rows, emitted } = boot(situation(from));
    expect(charger.reported).toMatchObject({ configuration: [], configurationPosition: null, ongoing: {} });
    expect(Object.keys(charger.reported.sockets)).toEqual(['1']);
    expect(rows.superseded).toEqual([session.sessionId]);
    expect(rows.deviceStates).toMatchObject([{ to: { certificates: null, displayMessages: null, monitors: null } }]);
    expect(emitted).toMatchObject([{ type: 'charger.booted' }, { type: 'session.ended', data: { superseded: true } }]);
  },
);

it.each([
  ['1.6', to16, undefined],
  ['2.x', to2, 2],
] as const)('138. keeps them at a further boot with %s', (_title, boot, from) => {
  const { charger, rows } = boot(situation(from));
  expect([charger.reported.configuration.length, rows.superseded]).toEqual([1, []]);
  expect(Object.keys(charger.reported.ongoing)).toEqual(['1']);
});

const CONFIGURATION_16 = [{ configName: 'HeartbeatInterval', configValue: '1', canBeChanged: true }];

it.each<[string, NonNullable<Situation['reported']>, typeof to2, number]>([
  ['keeps a session of 1.6 at a first boot with 1.6', { ongoing: { '1': ongoingIn(undefined) } }, to16, 0],
  ['keeps one of 2.x at a first boot with 2.x', { ongoing: { '1': ongoingIn(2) } }, to2, 0],
  ['ends a session of 1.6 at a first boot with 2.x', { ongoing: { '1': ongoingIn(undefined) } }, to2, 1],
  ['ends one of 2.x at a first boot with 1.6', { ongoing: { '1': ongoingIn(2) } }, to16, 1],
  [
    'keeps a session of 2.x that began before the first boot there',
    { boot: BOOT, ongoing: { '1': ongoingIn(2) } },
    to2,
    0,
  ],
])('138. %s', (_title, reported, boot, ended) => {
  const { charger, rows } = boot({ sessions: [session], reported });
  expect(rows.superseded).toEqual(ended === 0 ? [] : [session.sessionId]);
  expect(Object.keys(charger.reported.ongoing)).toEqual(ended === 0 ? ['1'] : []);
});

it('138. drops configuration of 1.6 at a first boot with 2.x', () => {
  const { charger } = to2({ reported: { configuration: CONFIGURATION_16, configurationPosition: [1, 2] } });
  expect(charger.reported).toMatchObject({ configuration: [], configurationPosition: null });
});
