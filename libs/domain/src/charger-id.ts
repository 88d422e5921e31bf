import { AppError } from '@busbar/core';

/** The rule as a pattern, for the schemas of both HTTP generations. */
export const CHARGER_ID_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9_\\-.:*+=@|~]{1,48}$';

const ALLOWED = new RegExp(CHARGER_ID_PATTERN, 'u');

/**
 * A charger's identifier as registered: 1–48 characters of `A–Z a–z 0–9 _ - . : * + = @ | ~`, not `.` or `..`. Throws
 * AppError `invalid_charger_id`.
 */
export function parseChargerId(text: string): string {
  if (isChargerId(text)) return text;
  throw new AppError(
    'invalid_charger_id',
    'A chargerId has 1 to 48 characters out of A-Z a-z 0-9 _ - . : * + = @ | ~ and is not "." or "..".',
  );
}

export function isChargerId(text: string): boolean {
  return ALLOWED.test(text);
}
