// How numbers, times and durations are written. Pure.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** With one decimal at most, and a comma between thousands. Without `Intl`: its first use takes 40 ms where processors are slow. */
export function numberOf(value: number): string {
  return fixedOf(value, 1).replace(/\.0$/, '');
}

/** With that many decimals, so that a column of them lines up. */
export function fixedOf(value: number, decimals: number): string {
  const scale = 10 ** decimals;
  const scaled = Math.round(Math.abs(value) * scale);
  let whole = String(Math.floor(scaled / scale));
  let groups = '';
  for (; whole.length > 3; whole = whole.slice(0, -3)) groups = `,${whole.slice(-3)}${groups}`;
  const part = decimals === 0 ? '' : `.${String(scaled % scale).padStart(decimals, '0')}`;
  return `${value < 0 && scaled > 0 ? '-' : ''}${whole}${groups}${part}`;
}

/** `26 Nov, 14:05`; with the year only where it is not this one: `26 Nov 2025, 14:05`. */
export function dateTimeOf(at: string): string {
  const date = new Date(at);
  const year = date.getFullYear() === new Date().getFullYear() ? '' : ` ${String(date.getFullYear())}`;
  return `${dayAndMonth(date)}${year}, ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

export function isToday(at: string, today = new Date().toDateString()): boolean {
  return new Date(at).toDateString() === today;
}

/** `26 Nov`. */
export function dayOf(at: string): string {
  return dayAndMonth(new Date(at));
}

/** With its second. */
export function exactTimeOf(at: string): string {
  return `${dateTimeOf(at)}:${twoDigits(new Date(at).getSeconds())}`;
}

export function clockOf(at: string): string {
  const date = new Date(at);
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}.${ms}`;
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

/** For columns: always in kWh, with the same number of decimals. */
export function kwhOf(wh: number): string {
  return `${fixedOf(wh / 1_000, 2)} kWh`;
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

function dayAndMonth(date: Date): string {
  return `${String(date.getDate())} ${MONTHS[date.getMonth()] ?? ''}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
