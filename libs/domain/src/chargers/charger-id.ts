import { AppError } from '@busbar/core';

/** The rule as a pattern, for the schemas of both HTTP generations. */
export const CHARGER_ID_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9_\\-.:*+=@|~]{1,48}$';

/** The same in words. */
export const CHARGER_ID_RULE =
  'has 1 to 48 characters out of A-Z a-z 0-9 _ - . : * + = @ | ~ and is not "." or "..". ' +
  'An identity with a space (%20) or any other character cannot be registered.';

/** What to do about an identity that cannot be registered: the rule is that of the older API, and is not going to be widened. */
export const CHARGER_ID_MESSAGE = `cannot be registered: a chargerId ${CHARGER_ID_RULE} Give the charger another identity in its own settings, then register that`;

const ALLOWED = new RegExp(CHARGER_ID_PATTERN, 'u');

/**
 * A charger's identifier as registered: 1–48 characters of `A–Z a–z 0–9 _ - . : * + = @ | ~`, not `.` or `..`. Throws
 * AppError `invalid_charger_id`.
 */
export function parseChargerId(text: string): string {
  if (isChargerId(text)) return text;
  throw new AppError('invalid_charger_id', `This chargerId ${CHARGER_ID_MESSAGE}.`);
}

/**
 * Words that stand at a charger id's place in paths of the newer interface: a charger of that name could not be read there.
 * Refused when a charger is registered and nowhere else, so that one which has the name can still be deleted.
 */
export const RESERVED_CHARGER_IDS: readonly string[] = ['state-time-series'];

/** As `parseChargerId`, of a charger that is to be registered. */
export function parseNewChargerId(text: string): string {
  if (!RESERVED_CHARGER_IDS.includes(text)) return parseChargerId(text);
  throw new AppError(
    'invalid_charger_id',
    `The chargerId "${text}" is reserved: a path of the service has this name.`,
    {
      details: { issues: [{ path: '/chargerId', message: 'is reserved' }] },
    },
  );
}

export function isChargerId(text: string): boolean {
  return ALLOWED.test(text);
}
