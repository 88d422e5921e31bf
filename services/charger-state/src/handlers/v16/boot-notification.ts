import type { BootReport } from '@busbar/domain/chargers';
import { isAfter, withReported, type Handler } from '../handler';

interface BootNotification {
  readonly chargePointVendor: string;
  readonly chargePointModel: string;
  readonly chargePointSerialNumber?: string;
  readonly chargeBoxSerialNumber?: string;
  readonly firmwareVersion?: string;
  readonly iccid?: string;
  readonly imsi?: string;
  readonly meterType?: string;
  readonly meterSerialNumber?: string;
}

/** OCPP 1.6 4.2: every registered charger is accepted; admission was decided at the upgrade. A second boot updates. */
export const bootNotification: Handler<BootNotification> = {
  apply(charger, { payload, receivedAt }, context) {
    const answer = { status: 'Accepted', currentTime: receivedAt, interval: context.heartbeatIntervalS };
    const before = charger.reported.boot;
    if (before !== null && !isAfter(context.position, before.position)) return { charger, answer };
    const boot: BootReport = {
      manufacturer: payload.chargePointVendor,
      model: payload.chargePointModel,
      // Some send the newer field empty beside the older one (rules 48 and 62).
      serial: payload.chargePointSerialNumber || (payload.chargeBoxSerialNumber ?? ''),
      firmware: payload.firmwareVersion ?? '',
      iccid: payload.iccid ?? '',
      imsi: payload.imsi ?? '',
      meterType: payload.meterType ?? '',
      meterSerialNumber: payload.meterSerialNumber ?? '',
      at: receivedAt,
      position: context.position,
    };
    return { charger: withReported(charger, { boot }), answer };
  },
};
