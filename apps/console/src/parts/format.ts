// How numbers, times and durations are written. Pure.

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const THIS_YEAR = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const DATE_TIME = new Intl.DateTimeFormat('en-GB', THIS_YEAR);
/** Made when it is needed: making one takes 10 ms where processors are slow. */
let withYear: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function numberOf(value: number): string {
  return NUMBER.format(value);
}

/** The year only where it is not this one. */
export function dateTimeOf(at: string): string {
  const date = new Date(at);
  if (date.getFullYear() === new Date().getFullYear()) return DATE_TIME.format(date);
  withYear ??= new Intl.DateTimeFormat('en-GB', { ...THIS_YEAR, year: 'numeric' });
  return withYear.format(date);
}

export function isToday(at: string, today = new Date().toDateString()): boolean {
  return new Date(at).toDateString() === today;
}

/** `26 Nov`. */
export function dayOf(at: string): string {
  day ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
  return day.format(new Date(at));
}

/** With its second. */
export function exactTimeOf(at: string): string {
  return `${dateTimeOf(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}

export function clockOf(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

/** Two units at most: `45 s`, `3 min`, `2 h 14 min`, `5 d 3 h`. */
export function durationOf(ms: number): string {
  const past = Math.max(0, ms);
  if (past < MINUTE_MS) return `${String(Math.floor(past / SECOND_MS))} s`;
  if (past < HOUR_MS) return `${String(Math.floor(past / MINUTE_MS))} min`;
  if (past < DAY_MS) return twoUnits(past, [HOUR_MS, 'h'], [MINUTE_MS, 'min']);
  return twoUnits(past, [DAY_MS, 'd'], [HOUR_MS, 'h']);
}

/** Coarse: one unit, so that a list of them is quiet. */
export function agoOf(at: number, now: number): string {
  const past = now - at;
  if (past < 5 * SECOND_MS) return 'just now';
  if (past < MINUTE_MS) return `${String(Math.floor(past / SECOND_MS))} s ago`;
  if (past < HOUR_MS) return `${String(Math.floor(past / MINUTE_MS))} min ago`;
  if (past < DAY_MS) return `${String(Math.floor(past / HOUR_MS))} h ago`;
  return `${String(Math.floor(past / DAY_MS))} d ago`;
}

/** The energy in the unit that a reader expects: Wh below 1 kWh, MWh from 1,000 kWh. */
export function energyOf(wh: number): string {
  if (Math.abs(wh) < 1_000) return `${numberOf(wh)} Wh`;
  if (Math.abs(wh) < 1_000_000) return `${numberOf(wh / 1_000)} kWh`;
  return `${numberOf(wh / 1_000_000)} MWh`;
}

export function powerOf(w: number): string {
  return Math.abs(w) < 1_000 ? `${numberOf(w)} W` : `${numberOf(w / 1_000)} kW`;
}

/** `ocpp1.6` as people write it. */
export function ocppVersionOf(version: string | null): string {
  return version === null ? '' : version.replace('ocpp', 'OCPP ');
}

function twoUnits(
  ms: number,
  [large, largeName]: readonly [number, string],
  [small, smallName]: readonly [number, string],
) {
  const first = Math.floor(ms / large);
  const second = Math.floor((ms % large) / small);
  return second === 0
    ? `${String(first)} ${largeName}`
    : `${String(first)} ${largeName} ${String(second)} ${smallName}`;
}
