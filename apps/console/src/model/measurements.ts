// Power and energy out of meter values, as chargers send them: text, with units, in the form of their OCPP version. Pure.
import type { components } from '../api/generated/v2';

type MeterValueMessage = components['schemas']['MeterValueMessage'];
type EventMeasurement = components['schemas']['EventMeasurement'];

/** A sampled value; a null measurand is the energy register, as OCPP says. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
  readonly measurand: string;
  readonly phase: string | null;
  readonly unit: string | null;
}

export const POWER = 'Power.Active.Import';
export const ENERGY = 'Energy.Active.Import.Register';
const KILO = 1_000;

/** The samples of a stored message; what is not readable is left out. */
export function samplesOf({
  receivedAt,
  message,
}: Pick<MeterValueMessage, 'receivedAt' | 'message'>): readonly Sample[] {
  const groups = arrayOf(message['meterValue'] ?? message['transactionData']);
  return groups.flatMap((group) =>
    arrayOf(group['sampledValue']).flatMap((sampled) => {
      const unit = textOf(sampled['unit']) ?? textOf(recordOf(sampled['unitOfMeasure'])['unit']);
      const multiplier = Number(recordOf(sampled['unitOfMeasure'])['multiplier'] ?? 0);
      return sampleOf({
        deviceTime: textOf(group['timestamp']) ?? receivedAt,
        value: String(Number(sampled['value']) * 10 ** multiplier),
        measurand: textOf(sampled['measurand']) ?? null,
        phase: textOf(sampled['phase']) ?? null,
        unit: unit ?? null,
      });
    }),
  );
}

export function sampleOf(
  measurement: Pick<EventMeasurement, 'deviceTime' | 'value' | 'measurand' | 'phase' | 'unit'>,
): readonly Sample[] {
  const value = Number(measurement.value);
  const atMs = Date.parse(measurement.deviceTime ?? '');
  if (!Number.isFinite(value) || Number.isNaN(atMs)) return [];
  const { phase, unit } = measurement;
  return [{ atMs, value, measurand: measurement.measurand ?? ENERGY, phase, unit }];
}

/** W of the whole socket at the time of the last sample: of all phases together, or their sum. */
export function powerAt(samples: readonly Sample[]): number | undefined {
  return ofLastTime(samples.filter(({ measurand }) => measurand === POWER));
}

/** Wh of the register at the time of the last sample. */
export function energyAt(samples: readonly Sample[]): number | undefined {
  return ofLastTime(samples.filter(({ measurand }) => measurand === ENERGY));
}

/** Points of a curve: `[times in s, power in W or null, energy in Wh or null]`, in order of time. */
export function curveOf(samples: readonly Sample[]): readonly [number[], (number | null)[], (number | null)[]] {
  const byTime = new Map<number, Point>();
  for (const sample of samples) {
    let point = byTime.get(sample.atMs);
    if (point === undefined) byTime.set(sample.atMs, (point = {}));
    if (sample.measurand === POWER) point.power = withSample(point.power, sample);
    else if (sample.measurand === ENERGY) point.energy = withSample(point.energy, sample);
  }
  const points = [...byTime].sort(([one], [other]) => one - other);
  return [
    points.map(([atMs]) => atMs / KILO),
    points.map(([, { power }]) => readingOf(power)),
    points.map(([, { energy }]) => readingOf(energy)),
  ];
}

/** Of one time: tens of thousands are made at once, so each sample is looked at once. */
interface Reading {
  readonly whole?: number | undefined;
  readonly sumOfPhases: number;
}

interface Point {
  power?: Reading;
  energy?: Reading;
}

function withSample(before: Reading = { sumOfPhases: 0 }, sample: Sample): Reading {
  const value = inBase(sample);
  if (sample.phase === null) return { ...before, whole: before.whole ?? value };
  return { ...before, sumOfPhases: before.sumOfPhases + value };
}

function readingOf(reading: Reading | undefined): number | null {
  return reading === undefined ? null : (reading.whole ?? reading.sumOfPhases);
}

function ofLastTime(samples: readonly Sample[]): number | undefined {
  if (samples.length === 0) return undefined;
  const lastMs = samples.reduce((latest, { atMs }) => Math.max(latest, atMs), -Infinity);
  const last = samples.filter(({ atMs }) => atMs === lastMs);
  const whole = last.find(({ phase }) => phase === null);
  return whole === undefined ? last.reduce((sum, sample) => sum + inBase(sample), 0) : inBase(whole);
}

function inBase({ value, unit }: Sample): number {
  return unit?.startsWith('k') === true ? value * KILO : value;
}

function arrayOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value)
    ? value.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
    : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
