// The time that a message of OCPP 2.x has itself. With one, equal messages are the same message, whatever their ids.
import { EARLIEST_CLOCK_MS, parseTimestamp } from '../timestamp';

const FIELDS = ['timestamp', 'generatedAt', 'timeBase', 'settlementTime'] as const;

/** Returns whether a payload has a time of the charger: not one from before 2020, which a clock that is not set has after each boot. */
export function hasOwnTime(payload: unknown): boolean {
  const text = timeOf(payload);
  return text !== undefined && (parseTimestamp(text)?.date.getTime() ?? 0) >= EARLIEST_CLOCK_MS;
}

function timeOf(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const fields = payload as Readonly<Record<string, unknown>>;
  const stated = FIELDS.map((name) => fields[name]).find((value) => typeof value === 'string');
  if (stated !== undefined) return stated;
  // MeterValues: the time of its first values.
  const { meterValue } = fields;
  return Array.isArray(meterValue) ? timeOf(meterValue[0]) : undefined;
}
