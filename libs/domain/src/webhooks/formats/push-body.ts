// The body of a push message, and the message that is the same in v1 and v2.
import type { EventData, FeedEvent } from '@busbar/contracts';

/** Keys in the order of the documented messages. */
export type PushBody = Readonly<Record<string, unknown>>;

export function measurementsBody(
  { transactionId, socketId, measurements }: EventData<'meter.values'>,
  { chargerId, timestamp }: Pick<FeedEvent, 'chargerId' | 'timestamp'>,
): PushBody {
  return {
    chargerId,
    socketId,
    timeStamp: timestamp,
    transactionId: textOf(transactionId),
    measurements: measurements.map(({ deviceTime, value, measurand, phase, unit }) => ({
      deviceTimeStamp: deviceTime ?? timestamp,
      value,
      typeOfMeasurement: measurand ?? '',
      phase: phase ?? '',
      unit: unit ?? '',
    })),
  };
}

/** Texts are never null in push messages. */
export function textOf(value: number | null): string {
  return value === null ? '' : String(value);
}
