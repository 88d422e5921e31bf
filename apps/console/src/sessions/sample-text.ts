// How meter values are written in a table. Pure.
import type { Sample } from '../model/measurements';
import { sessionsTexts } from '../texts/sessions';

const MAX_DECIMALS = 3;
const UNITS: Readonly<Record<string, string>> = { Percent: '%', Celsius: '°C', Fahrenheit: '°F' };

/** A measurand of OCPP in words; one without, as it was sent. */
export function measurandOf(measurand: string): string {
  const words: Readonly<Record<string, string>> = sessionsTexts.measurands;
  return words[measurand] ?? measurand;
}

/** A unit of OCPP as people write it. */
export function unitOf(unit: string | null): string {
  return unit === null ? '' : (UNITS[unit] ?? unit);
}

/** The decimals of each measurand, at most three: as many as its longest value has, so that its values line up. */
export function decimalsOf(samples: readonly Pick<Sample, 'measurand' | 'value'>[]): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { measurand, value } of samples) {
    decimals.set(measurand, Math.max(decimals.get(measurand) ?? 0, decimalsIn(value)));
  }
  return decimals;
}

function decimalsIn(value: number): number {
  const [, part = ''] = String(Number(Math.abs(value).toFixed(MAX_DECIMALS))).split('.');
  return part.length;
}
