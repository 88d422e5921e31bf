import { AppError } from '@busbar/core';

/** The rule as a pattern, for the schemas of both APIs. */
export const CHARGER_ID_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9_\\-.:*+=@|~]{1,48}$';

/** The rule in words. */
export const CHARGER_ID_RULE =
  'has 1 to 48 of the characters A-Z a-z 0-9 _ - . : * + = @ | ~ and is not "." or "..". ' +
  'An identity with a space (%20) or any other character cannot be registered.';

/** The remedy for an id that cannot be registered. The rule is that of the v1 API, and stays. */
export const CHARGER_ID_MESSAGE = `cannot be registered: a chargerId ${CHARGER_ID_RULE} Give the charger another identity in its own settings, then register that`;

const ALLOWED = new RegExp(CHARGER_ID_PATTERN, 'u');

/**
 * Words that cannot be charger ids, since a path of an API has them in the place of one. Both APIs refuse them,
 * since a charger of one is read by the other. Rejected at registration only, so that an existing charger with such an id
 * can be deleted.
 */
export const RESERVED_CHARGER_IDS: readonly string[] = ['state-time-series'];

/** Throws AppError `invalid_charger_id` for an identifier that breaks the rule or is reserved. */
export function checkNewChargerId(text: string): void {
  if (!ALLOWED.test(text)) throw new AppError('invalid_charger_id', `This chargerId ${CHARGER_ID_MESSAGE}.`);
  if (!RESERVED_CHARGER_IDS.includes(text)) return;
  throw new AppError(
    'invalid_charger_id',
    `The chargerId "${text}" is reserved: a path of the service has this name.`,
    {
      details: { issues: [{ field: 'chargerId', message: 'is reserved' }] },
    },
  );
}
