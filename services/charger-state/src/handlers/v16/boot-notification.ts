import type { BootReport } from '@busbar/domain/chargers';
import { isAfter, withReported } from '../../pipeline/contract';
import { afterVersionChange, isOfOtherVersion, needOngoing } from '../shared/version-change';
import type { CallHandler, RequestOf } from './route';

/** OCPP 1.6 4.2. Every registered charger is accepted: admission was decided at the upgrade. A second boot updates. */
export const bootNotification: CallHandler<'BootNotification'> = {
  prepare(needs, charger) {
    if (isOfOtherVersion(charger, false)) needOngoing(needs, charger);
  },
  apply(charger, { payload, receivedAt }, context) {
    const answer = { status: 'Accepted', currentTime: receivedAt, interval: context.heartbeatIntervalS };
    const before = charger.reported.boot;
    if (before !== null && !isAfter(context.position, before.position)) return { charger, answer };
    const boot = bootOf(payload, { at: receivedAt, position: context.position });
    const { manufacturer, model, serial, firmware, iccid, imsi, meterType, meterSerialNumber } = boot;
    const reported = { manufacturer, model, serial, firmware, iccid, imsi, meterType, meterSerialNumber };
    context.events.emit('charger.booted', { ...reported, previousFirmware: before?.firmware ?? null });
    const current = isOfOtherVersion(charger, false) ? afterVersionChange(charger, context, false) : charger;
    return { charger: withReported(current, { boot }), answer };
  },
};

function bootOf(payload: RequestOf<'BootNotification'>, received: Pick<BootReport, 'at' | 'position'>): BootReport {
  return {
    manufacturer: payload.chargePointVendor,
    model: payload.chargePointModel,
    // Some send the newer field empty beside the deprecated one (rules 48 and 62).
    serial: payload.chargePointSerialNumber || (payload.chargeBoxSerialNumber ?? ''),
    firmware: payload.firmwareVersion ?? '',
    iccid: payload.iccid ?? '',
    imsi: payload.imsi ?? '',
    meterType: payload.meterType ?? '',
    meterSerialNumber: payload.meterSerialNumber ?? '',
    ...received,
  };
}
