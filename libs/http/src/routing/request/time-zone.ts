/** Schema format: the name of an IANA time zone, such as Europe/Oslo. */
export const TIME_ZONE_FORMAT = 'iana-time-zone';

/** Exceeds the longest name, America/Argentina/ComodRivadavia. Longer texts are not looked up. */
const MAX_LENGTH = 40;
/** Every segment of a name begins with a capital. Offsets such as `+01:00`, which Intl accepts, are no names. */
const NAME = /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/;

/**
 * Returns whether ICU knows a time zone by this name, canonical (Europe/Oslo) or alias (Asia/Kolkata). Intl ignores
 * case; a name in another case than it resolves to is refused, since other software compares exactly.
 */
export function isTimeZone(text: string): boolean {
  if (text.length > MAX_LENGTH || !NAME.test(text)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone === text || timeZone.toLowerCase() !== text.toLowerCase();
  } catch {
    return false;
  }
}
