import { chargerWith, handle, RECEIVED_AT } from '../../testing/handler-situation';
import { bootNotification } from './boot-notification';

const REQUIRED = { chargePointVendor: 'V', chargePointModel: 'M' };
const bootAt = (position: readonly [number, number]) =>
  handle(bootNotification, REQUIRED, { position }).charger.reported;

describe('bootNotification', () => {
  it('62. accepts the charger with the time of receipt and the heartbeat interval', () => {
    const answer = { status: 'Accepted', currentTime: RECEIVED_AT, interval: 300 };
    expect(handle(bootNotification, REQUIRED)).toMatchObject({ answer });
  });

  it('62. stores empty texts for what the charger omits', () => {
    expect(handle(bootNotification, REQUIRED).charger.reported.boot).toEqual({
      manufacturer: 'V',
      model: 'M',
      serial: '',
      firmware: '',
      iccid: '',
      imsi: '',
      meterType: '',
      meterSerialNumber: '',
      at: RECEIVED_AT,
      position: [1, 5],
    });
  });

  it.each([
    ['chargePointSerialNumber', { chargePointSerialNumber: 'new', chargeBoxSerialNumber: 'old' }, 'new'],
    [
      'chargeBoxSerialNumber, where the other is empty',
      { chargePointSerialNumber: '', chargeBoxSerialNumber: 'old' },
      'old',
    ],
    ['chargeBoxSerialNumber, where the other is missing', { chargeBoxSerialNumber: 'old' }, 'old'],
  ])('48. takes the serial from %s', (_, fields, serial) => {
    expect(handle(bootNotification, { ...REQUIRED, ...fields }).charger.reported.boot).toMatchObject({ serial });
  });

  it.each<[string, readonly [number, number], boolean]>([
    ['62. replaces the boot by a later one', [1, 6], true],
    ['replaces the boot by one of a newer connection', [2, 1], true],
    ['ignores, but accepts, a boot of an older connection', [0, 9], false],
    ['ignores, but accepts, the same boot', [1, 5], false],
  ])('%s', (_, position, replaces) => {
    const { answer, charger, before } = handle(
      bootNotification,
      { ...REQUIRED, chargePointModel: 'N' },
      { position, reported: bootAt([1, 5]) },
    );
    expect(answer?.status).toBe('Accepted');
    expect(charger.reported.boot?.model).toBe(replaces ? 'N' : 'M');
    expect(charger === before).toBe(!replaces);
  });

  it('changes no other part of the record', () => {
    const { charger, before } = handle(bootNotification, REQUIRED);
    expect({ ...charger.reported, boot: null }).toEqual(before.reported);
    expect(chargerWith({}).reported.boot).toBeNull();
  });
});
