// Finds the energy register among the meter values of OCPP 2.x: where a session's consumption begins and ends (rule 146).

/** `SampledValueType` of OCPP 2.0.1 and 2.1, as far as a register needs it. */
export interface SampledValue {
  readonly value: number;
  readonly measurand?: string;
  readonly phase?: string;
  readonly location?: string;
  readonly context?: string;
  readonly unitOfMeasure?: { readonly unit?: string; readonly multiplier?: number };
}

export interface MeterValue {
  /** UTC, so that texts compare as times. */
  readonly timestamp: string;
  readonly sampledValue: readonly SampledValue[];
}

export interface RegisterReading {
  readonly at: string;
  readonly wh: number;
  /** Empty where the charger named none. */
  readonly context: string;
}

/** The readings that decide a session's consumption: both, or none. */
export interface Readings {
  readonly meterStart?: RegisterReading;
  readonly meterStop?: RegisterReading;
}

const REGISTER = 'Energy.Active.Import.Register';
const BEGIN = 'Transaction.Begin';
const END = 'Transaction.End';
/** Of `multiplier`: what is beyond is no reading of a charger. */
const MAX_EXPONENT = 18;

/** The readings of the register for the whole outlet: without a phase, and at the outlet or no location. */
export function registerReadings(meterValues: readonly MeterValue[]): readonly RegisterReading[] {
  return meterValues.flatMap(({ timestamp, sampledValue }) =>
    sampledValue.filter(isRegister).flatMap((sampled) => {
      const wh = wattHours(sampled);
      return wh === undefined ? [] : [{ at: timestamp, wh, context: sampled.context ?? '' }];
    }),
  );
}

/** With the better ones of these meter values, in any order. The same object where they have none. */
export function withReadings<Known extends Readings>(known: Known, meterValues: readonly MeterValue[]): Known {
  let { meterStart, meterStop } = known;
  for (const reading of registerReadings(meterValues)) {
    meterStart = meterStart === undefined ? reading : better(meterStart, betterStart(meterStart, reading));
    meterStop = meterStop === undefined ? reading : better(meterStop, betterStop(meterStop, reading));
  }
  const isSame = meterStart === known.meterStart && meterStop === known.meterStop;
  return isSame ? known : { ...known, meterStart, meterStop };
}

/** The known reading where the other equals it. */
function better(known: RegisterReading, found: RegisterReading): RegisterReading {
  return known.at === found.at && known.wh === found.wh && known.context === found.context ? known : found;
}

/** Of two readings the better one for the beginning: Transaction.Begin before others, then the earlier, then the lower. */
export function betterStart(one: RegisterReading, other: RegisterReading): RegisterReading {
  return (
    byContext(one, other, BEGIN) ?? (one.at < other.at || (one.at === other.at && one.wh <= other.wh) ? one : other)
  );
}

/** Of two readings the better one for the end: Transaction.End before others, then the later, then the higher. */
export function betterStop(one: RegisterReading, other: RegisterReading): RegisterReading {
  return byContext(one, other, END) ?? (one.at > other.at || (one.at === other.at && one.wh >= other.wh) ? one : other);
}

function byContext(one: RegisterReading, other: RegisterReading, context: string): RegisterReading | undefined {
  if ((one.context === context) === (other.context === context)) return undefined;
  return one.context === context ? one : other;
}

function isRegister({ measurand = REGISTER, phase, location = 'Outlet' }: SampledValue): boolean {
  return measurand === REGISTER && phase === undefined && location === 'Outlet';
}

/** Undefined for another unit, and for what is no number of watt-hours. */
function wattHours({ value, unitOfMeasure }: SampledValue): number | undefined {
  const { unit = 'Wh', multiplier = 0 } = unitOfMeasure ?? {};
  return unit === 'Wh' || unit === 'kWh' ? scaled(value, multiplier + (unit === 'kWh' ? 3 : 0)) : undefined;
}

/** Times a power of ten, without the error of a multiplication: 1.001 kWh is 1001 Wh. Undefined for what no charger measures. */
export function scaled(value: number, exponent: number): number | undefined {
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const [digits = '0', own = '0'] = String(value).split('e');
  const result = Number(`${digits}e${String(Number(own) + exponent)}`);
  return Number.isFinite(result) ? result : undefined;
}
