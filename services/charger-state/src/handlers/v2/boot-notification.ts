import { admissionOf, type Admission, type BootReport, type Charger } from '@busbar/domain/chargers';
import { isAfter, withReported } from '../../pipeline/contract';
import { withChangedItems, type Written } from '../shared/configuration';
import { afterVersionChange, isOfOtherVersion, needOngoing } from '../shared/version-change';
import { pendingValues, withPendingValues } from './changed-values';
import type { CallHandler, RequestOf } from './route';
import { ACTUAL } from './variable-parts';

/** What is answered, and stored where it is not the usual. */
const ANSWERS: Readonly<
  Record<Admission, readonly [status: 'Accepted' | 'Pending' | 'Rejected', stored?: 'pending' | 'rejected']>
> = { accept: ['Accepted'], pending: ['Pending', 'pending'], reject: ['Rejected', 'rejected'] };

/**
 * OCPP 2.0.1, B01 to B03. Its owner decides what is answered; `interval` is that of heartbeats also where the charger is not accepted, and then the time until its
 * next boot. A second boot updates.
 */
export const bootNotification: CallHandler<'BootNotification'> = {
  prepare(needs, charger) {
    if (isOfOtherVersion(charger, true)) needOngoing(needs, charger);
  },
  apply(charger, { payload: { chargingStation, reason }, receivedAt }, context) {
    const [status, stored] = ANSWERS[admissionOf(charger)];
    const answer = { status, currentTime: receivedAt, interval: context.heartbeatIntervalS };
    const before = charger.reported.boot;
    if (before !== null && !isAfter(context.position, before.position)) return { charger, answer };
    const reported = reportedBy(chargingStation);
    const boot: BootReport = {
      ...reported,
      at: receivedAt,
      position: context.position,
      majorVersion: 2,
      reason,
      ...(stored !== undefined && { status: stored }),
    };
    context.events.emit('charger.booted', { ...reported, previousFirmware: before?.firmware ?? null });
    const current = isOfOtherVersion(charger, true) ? afterVersionChange(charger, context, true) : charger;
    return {
      charger: withReported(afterReboot(current, { at: receivedAt, position: context.position }), { boot }),
      answer,
    };
  },
};

/** Values that the charger took for its next boot are in force (rule 150). */
function afterReboot(charger: Charger, written: Written): Charger {
  const { position } = written;
  const taken = pendingValues(charger).filter(({ attributeType }) => attributeType === ACTUAL);
  if (taken.length === 0) return withPendingValues(charger, position);
  const items = taken.map(({ name, value = '' }) => ({ configName: name, configValue: value }));
  return withPendingValues(withChangedItems(charger, items, written), position);
}

function reportedBy({
  vendorName,
  model,
  serialNumber = '',
  firmwareVersion = '',
  modem,
}: RequestOf<'BootNotification'>['chargingStation']) {
  return {
    manufacturer: vendorName,
    model,
    serial: serialNumber,
    firmware: firmwareVersion,
    iccid: modem?.iccid ?? '',
    imsi: modem?.imsi ?? '',
    // Variables of the device model tell them in 2.x.
    meterType: '',
    meterSerialNumber: '',
  };
}
