import type { BootReport } from '@busbar/domain/chargers';
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
      ongoing: { '1': ongoingOf(session, [1, 3]) },
    },
  };
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

it('138. changes nothing at the first boot of a charger', () => {
  const { rows } = to2({ sessions: [session], reported: { ongoing: { '1': ongoingOf(session, [1, 3]) } } });
  expect(rows.superseded).toEqual([]);
});
