// The event of meter values of OCPP 1.6, from MeterValues or from the transactionData of a stop.
import type { BatchEvents } from '../../feed/batch-events';
import { deviceTimeOf, statedMsOf } from '../shared/clock-check';
import type { RequestOf } from './route';

type MeterValue = RequestOf<'MeterValues'>['meterValue'][number];

export interface Measured {
  readonly transactionId: number | null;
  readonly socketId: number | null;
  readonly meterValue: readonly MeterValue[];
}

/** Values and units as sent: what the charger left out is null. */
export function emitMeterValues({ emit }: BatchEvents, { transactionId, socketId, meterValue }: Measured): void {
  const measurements = meterValue.flatMap(({ timestamp, sampledValue }) => {
    const deviceTime = deviceTimeOf(statedMsOf(timestamp));
    return samplesOf(sampledValue).map(({ value, measurand, phase, unit, context, location }) => ({
      deviceTime,
      value,
      measurand: measurand ?? null,
      phase: phase ?? null,
      unit: unit ?? null,
      context: context ?? null,
      location: location ?? null,
    }));
  });
  emit('meter.values', { transactionId, socketId, measurements });
}

/** An event must never fail a message: a gateway of another version may validate less. */
function samplesOf(sampled: MeterValue['sampledValue'] | undefined): MeterValue['sampledValue'] {
  return sampled ?? [];
}
