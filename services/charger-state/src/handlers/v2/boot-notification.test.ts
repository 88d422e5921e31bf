import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { bootNotification } from './boot-notification';

const STATION = { vendorName: 'V', model: 'M' };
const bootOf = (chargingStation: object = {}) => ({
  reason: 'PowerUp',
  chargingStation: { ...STATION, ...chargingStation },
});
const bootAt = (position: readonly [number, number]) =>
  handle(bootNotification, bootOf(), { position }).charger.reported;

describe('bootNotification', () => {
  it('62. accepts the charger with the time of receipt and the heartbeat interval', () => {
    const answer = { status: 'Accepted', currentTime: RECEIVED_AT, interval: 300 };
    expect(handle(bootNotification, bootOf())).toMatchObject({ answer });
  });

  it('62. stores what the charging station is, and announces it', () => {
    const modem = { iccid: 'I', imsi: 'S' };
    const { charger, emitted } = handle(bootNotification, bootOf({ serialNumber: 'N', firmwareVersion: '1.2', modem }));
    const stored = { manufacturer: 'V', model: 'M', serial: 'N', firmware: '1.2', iccid: 'I', imsi: 'S' };
    expect(charger.reported.boot).toMatchObject({ ...stored, at: RECEIVED_AT, position: [1, 5] });
    expect(emitted).toMatchObject([{ type: 'charger.booted', data: { ...stored, previousFirmware: null } }]);
  });

  it('62. stores empty texts for what the charger omits', () => {
    const none = { serial: '', firmware: '', iccid: '', imsi: '', meterType: '', meterSerialNumber: '' };
    expect(handle(bootNotification, bootOf()).charger.reported.boot).toMatchObject(none);
  });

  it.each([
    ['accept', 'Accepted', undefined],
    ['pending', 'Pending', 'pending'],
    ['reject', 'Rejected', 'rejected'],
  ] as const)('123. answers a charger whose owner says %s with %s', (admission, status, stored) => {
    const { answer, charger } = handle(bootNotification, bootOf(), { admission });
    expect(answer).toEqual({ status, currentTime: RECEIVED_AT, interval: 300 });
    expect(charger.reported.boot?.status).toBe(stored);
  });

  it('166. stores why it booted', () => {
    expect(handle(bootNotification, bootOf()).charger.reported.boot?.reason).toBe('PowerUp');
  });

  it.each<[string, readonly [number, number], boolean]>([
    ['62. replaces the boot by a later one', [1, 6], true],
    ['ignores, but accepts, a boot of an older connection', [0, 9], false],
  ])('%s', (_, position, replaces) => {
    const { answer, charger } = handle(bootNotification, bootOf({ model: 'N' }), {
      position,
      reported: bootAt([1, 5]),
    });
    expect(answer?.status).toBe('Accepted');
    expect(charger.reported.boot?.model).toBe(replaces ? 'N' : 'M');
  });
});
