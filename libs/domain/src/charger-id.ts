import { AppError } from '@busbar/core';

const ALLOWED = /^[A-Za-z0-9_\-.:*+=@|~]{1,48}$/;

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
  return ALLOWED.test(text) && text !== '.' && text !== '..';
}
