// Which events of a feed a reader gets.
import { EVENT_TYPES, type EventName, type EventPermission, type FeedEvent } from '@busbar/contracts';
import { AppError } from '@busbar/core';

/** `*`: all types but those of `BY_NAME_ONLY`. */
const ALL = '*';
/** A family: `charger.*`. */
const FAMILY_END = '.*';
/** Frequent types that `*` leaves out. A family and no filter at all include them. */
const BY_NAME_ONLY: ReadonlySet<EventName> = new Set(['socket.state_reported', 'meter.values']);

const NAMES = Object.keys(EVENT_TYPES) as EventName[];
const FAMILIES = [...new Set(NAMES.map((name) => `${name.split('.')[0] ?? ''}${FAMILY_END}`))];

/** All that `types` of a request can have. */
export const EVENT_PATTERNS: readonly string[] = [ALL, ...FAMILIES, ...NAMES];

/** Each field narrows. An absent field does not filter. */
export interface FeedFilter {
  readonly types: ReadonlySet<EventName>;
  readonly chargerIds?: ReadonlySet<string> | undefined;
  readonly siteIds?: ReadonlySet<number> | undefined;
}

/** All types that these patterns name. */
export function eventTypesOf(patterns: readonly string[]): ReadonlySet<EventName> {
  return new Set(NAMES.filter((name) => patterns.some((each) => isIn(name, each))));
}

/**
 * The types that a reader with these permissions gets. Absent patterns: all. Types without their permission are left out, unless one
 * is named: that throws `forbidden`.
 */
export function eventTypesFor(
  patterns: readonly string[] | undefined,
  permissions: readonly string[],
): ReadonlySet<EventName> {
  const permitted = (name: EventName): boolean => permissions.includes(permissionOf(name));
  const named = NAMES.filter((name) => patterns?.includes(name) === true);
  const refused = named.find((name) => !permitted(name));
  if (refused !== undefined) {
    throw new AppError(
      'forbidden',
      `This API key lacks the permission ${permissionOf(refused)}, which events of the type ${refused} require.`,
    );
  }
  const wanted = patterns === undefined ? NAMES : [...eventTypesOf(patterns)];
  return new Set(wanted.filter(permitted));
}

export function permissionOf(name: EventName): EventPermission {
  return EVENT_TYPES[name].needs;
}

/** An event of a charger without a site, or of no charger, is at no site. */
export function matchesFeedFilter(
  { types, chargerIds, siteIds }: FeedFilter,
  { type, chargerId, siteId }: Pick<FeedEvent, 'type' | 'chargerId' | 'siteId'>,
): boolean {
  if (!types.has(type)) return false;
  if (chargerIds !== undefined && (chargerId === null || !chargerIds.has(chargerId))) return false;
  return siteIds === undefined || (siteId !== null && siteIds.has(siteId));
}

function isIn(name: EventName, pattern: string): boolean {
  if (pattern === ALL) return !BY_NAME_ONLY.has(name);
  if (!pattern.endsWith(FAMILY_END)) return name === pattern;
  return name.startsWith(pattern.slice(0, -1));
}
