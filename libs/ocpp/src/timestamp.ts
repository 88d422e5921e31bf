// Parses timestamps as chargers write them (rule 42), with any number of decimals. The zone is `Z`, or an offset in
// hours or hours and minutes. A timestamp without a zone is UTC.

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?([Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;
/** Longer texts are not matched. */
const MAX_LENGTH = 48;
const FOUR_CENTURIES_MS = 146_097 * 86_400_000;

/** No charger that speaks OCPP with a working clock reports a time before this. */
export const EARLIEST_CLOCK_MS = Date.UTC(2020, 0);

export interface OcppTimestamp {
  readonly date: Date;
  readonly zoned: boolean;
}

/** Reads a charger's timestamp, cut to milliseconds. Undefined for an invalid text. */
export function parseTimestamp(text: string): OcppTimestamp | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  // 60 is a leap second: it becomes the first second of the next minute.
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 60) return undefined;
  const offsetMinutes = offsetOf(match);
  if (offsetMinutes === undefined) return undefined;
  const ms = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  // Shifted by one calendar cycle, since Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const later = Date.UTC(year + 400, month - 1, day, hour, minute - offsetMinutes, second, ms);
  return { date: new Date(later - FOUR_CENTURIES_MS), zoned: match[8] !== undefined };
}

function offsetOf(match: RegExpExecArray): number | undefined {
  const hours = Number(match[10] ?? 0);
  const minutes = Number(match[11] ?? 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (match[9] === '-' ? -1 : 1);
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  if (month === 2) return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
  return day <= ([4, 6, 9, 11].includes(month) ? 30 : 31);
}
