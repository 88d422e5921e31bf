// Payloads of OCPP 1.6, in which a simulated charger thinks, as those of OCPP 2.x. Socket n is connector 1 of EVSE n.
import type { V16Requests, V16Responses, V2Requests, V2Responses } from '@busbar/ocpp';
import type { Status, StopReason } from '../charger/charger-state';
import type { TagInfo } from '../charger/local-list';
import type { Reading } from '../charger/metering';
import type { Payload } from '../connection';

export type MeterValue = V2Requests['MeterValues']['meterValue'][number];
type Sample = MeterValue['sampledValue'][number];
type TokenInfo = V2Responses['Authorize']['idTokenInfo'];

const SAME_STATUS: ReadonlySet<string> = new Set(['Available', 'Reserved', 'Unavailable', 'Faulted']);
const ENERGIZED: ReadonlySet<string> = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE']);
const SAME_VERDICT: ReadonlySet<string> = new Set(['Accepted', 'Blocked', 'Expired', 'ConcurrentTx']);

/** Why a transaction ended, and the trigger of its last event. */
const ENDS = {
  DeAuthorized: ['DeAuthorized', 'Deauthorized'],
  EmergencyStop: ['EmergencyStop', 'AbnormalCondition'],
  EVDisconnected: ['EVDisconnected', 'EVCommunicationLost'],
  HardReset: ['ImmediateReset', 'ResetCommand'],
  Local: ['Local', 'StopAuthorized'],
  Other: ['Other', 'AbnormalCondition'],
  PowerLoss: ['PowerLoss', 'AbnormalCondition'],
  Reboot: ['Reboot', 'ResetCommand'],
  Remote: ['Remote', 'RemoteStop'],
  SoftReset: ['ImmediateReset', 'ResetCommand'],
  UnlockCommand: ['Other', 'UnlockCommand'],
} as const satisfies Readonly<Partial<Record<StopReason, readonly [stoppedReason: string, triggerReason: string]>>>;

export function endOf(reason: StopReason = 'Local') {
  const [stoppedReason, triggerReason] = Object.hasOwn(ENDS, reason) ? ENDS[reason as keyof typeof ENDS] : ENDS.Other;
  return { stoppedReason, triggerReason };
}

/** The state of the cable is the transaction's to say. */
export function connectorStatusOf(status: Status): string {
  return SAME_STATUS.has(status) ? status : 'Occupied';
}

/** Undefined for a status that says nothing of the energy. */
export function chargingStateOf(status: Status): string | undefined {
  return ENERGIZED.has(status) ? status : undefined;
}

export function tokenOf(idTag: string): V2Requests['Authorize']['idToken'] {
  return { idToken: idTag, type: 'ISO14443' };
}

export function tagInfoOf({ status, groupIdToken, cacheExpiryDateTime }: TokenInfo): TagInfo {
  return {
    status: SAME_VERDICT.has(status) ? status : 'Invalid',
    ...(groupIdToken === undefined ? {} : { parentIdTag: groupIdToken.idToken }),
    ...(cacheExpiryDateTime === undefined ? {} : { expiryDate: cacheExpiryDateTime }),
  };
}

/** Readings without a sample are left out: no measurand is configured. */
export function meterValuesOf(readings: readonly Reading[]): MeterValue[] {
  return readings.flatMap(({ timestamp, sampledValue }) =>
    sampledValue.length === 0 ? [] : [{ timestamp, sampledValue: sampledValue.map(sampleOf) }],
  );
}

function sampleOf({ value, unit, measurand, context }: Reading['sampledValue'][number]): Sample {
  return {
    value: Number(value),
    ...(measurand === undefined ? {} : { measurand }),
    ...(context === undefined ? {} : { context }),
    ...(unit === undefined ? {} : { unitOfMeasure: { unit } }),
  };
}

/** The register of the energy at the begin or the end of a transaction. */
export function registerOf(timestamp: string, wattHours: number, context: string): MeterValue[] {
  const measurand = 'Energy.Active.Import.Register';
  return [{ timestamp, sampledValue: [{ value: wattHours, measurand, context, unitOfMeasure: { unit: 'Wh' } }] }];
}

export function stationOf(boot: V16Requests['BootNotification']): V2Requests['BootNotification']['chargingStation'] {
  const { chargePointVendor, chargePointModel, chargePointSerialNumber, firmwareVersion } = boot;
  return {
    vendorName: chargePointVendor,
    model: chargePointModel,
    ...(chargePointSerialNumber === undefined ? {} : { serialNumber: chargePointSerialNumber }),
    ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
  };
}

export function authorizedAs(answer: Payload): V16Responses['Authorize'] {
  return { idTagInfo: tagInfoOf(answer['idTokenInfo'] as TokenInfo) };
}
