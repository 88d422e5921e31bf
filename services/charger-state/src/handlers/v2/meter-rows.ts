// Meter values of OCPP 2.x: stored as sent, and an event of the feed (rule 146).
import type { Charger } from '@busbar/domain/chargers';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { deviceTimeOf, statedMsOf } from '../shared/clock-check';
import { contentRowId } from '../shared/row-id';
import type { RequestOf } from './route';
import { scaled } from './transactions/register-reading';

type MeterValue = RequestOf<'MeterValues'>['meterValue'][number];

export interface Metered {
  readonly socketId: number | null;
  readonly transactionId: number | null;
  readonly sessionId: string | null;
  readonly meterValue: readonly MeterValue[];
}

/** Stores the message that has these values. */
export function storeMeterValues(
  { chargerId, incarnationId, clientId }: Charger,
  report: Report<object>,
  { socketId, transactionId, sessionId, meterValue }: Metered,
  { rows, events }: HandlerContext,
): void {
  rows.meterValues.push({
    rowId: contentRowId(report, report.payload, statedMsOf(meterValue[0]?.timestamp)),
    chargerId,
    incarnationId,
    clientId,
    socketId,
    sessionId,
    receivedAt: report.receivedAt,
    payload: { ...report.payload },
  });
  const measurements = meterValue.flatMap(({ timestamp, sampledValue }) => {
    const deviceTime = deviceTimeOf(statedMsOf(timestamp));
    return sampledValue.flatMap(({ value, measurand, phase, unitOfMeasure, context, location }) => {
      const measured = scaled(value, unitOfMeasure?.multiplier ?? 0);
      if (measured === undefined) return [];
      return {
        deviceTime,
        value: String(measured),
        measurand: measurand ?? null,
        phase: phase ?? null,
        unit: unitOfMeasure?.unit ?? null,
        context: context ?? null,
        location: location ?? null,
      };
    });
  });
  events.emit('meter.values', { transactionId, socketId, measurements });
}
