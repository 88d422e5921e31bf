import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';
import { tagKey } from '../tags/tag';

export interface LocalListEntry {
  readonly idTag: string;
  readonly status: string;
  readonly expiryDate: string | null;
  readonly parentIdTag: string | null;
}

/** The list by which a charger authorizes drivers while it is offline. */
export interface LocalList {
  /** The charger's version: 0 for an empty list, -1 where it supports none. */
  readonly version: number;
  readonly entries: readonly LocalListEntry[];
  /**
   * False where the charger has a list that was not, or not wholly, sent through this service, or one too long to
   * store.
   */
  readonly isComplete: boolean;
  readonly updatedAt: Timestamp;
  readonly position: Position;
  /** The position of the last whole list: updates from before it are not missing. */
  readonly wholeAt?: Position;
}

/** An update that the charger accepted. */
export interface LocalListUpdate {
  readonly version: number;
  /** A differential update; else the whole list. */
  readonly isDifferential: boolean;
  /** Without `status`: remove the tag. */
  readonly entries: readonly (Omit<LocalListEntry, 'status'> & { readonly status: string | null })[];
  readonly at: Timestamp;
  readonly position: Position;
}

/** More than any charger accepts (LocalAuthListMaxLength). */
const MAX_LIST_ENTRIES = 10_000;
const BEFORE_ALL: Position = [0, 0];

/**
 * The list after an accepted update. An update that is reported after a later one changes nothing, though the charger
 * applied it earlier. The list is then incomplete, unless a whole one was sent since.
 */
export function withListUpdate(list: LocalList | null, update: LocalListUpdate): LocalList {
  if (list !== null && !isAfter(update.position, list.position)) return withLateUpdate(list, update);
  const { version, isDifferential, at, position } = update;
  const entries = changedEntries(isDifferential && list !== null ? list.entries : [], update);
  const isComplete = (!isDifferential || list?.isComplete === true) && entries.length <= MAX_LIST_ENTRIES;
  const wholeAt = isDifferential ? list?.wholeAt : position;
  return {
    version,
    entries: entries.slice(0, MAX_LIST_ENTRIES),
    isComplete,
    updatedAt: at,
    position,
    ...(wholeAt === undefined ? {} : { wholeAt }),
  };
}

function changedEntries(base: readonly LocalListEntry[], update: LocalListUpdate): LocalListEntry[] {
  const entries = new Map(base.map((entry) => [tagKey(entry.idTag), entry]));
  for (const { status, ...entry } of update.entries) {
    if (status === null) entries.delete(tagKey(entry.idTag));
    else entries.set(tagKey(entry.idTag), { ...entry, status });
  }
  return [...entries.values()];
}

function withLateUpdate(list: LocalList, { position }: LocalListUpdate): LocalList {
  const isMissing = isAfter(position, list.wholeAt ?? BEFORE_ALL) && isAfter(list.position, position);
  return isMissing ? { ...list, isComplete: false } : list;
}

/** The list after the charger reported its version. The entries of another version are unknown. */
export function withListVersion(
  list: LocalList | null,
  { version, at, position }: Pick<LocalListUpdate, 'version' | 'at' | 'position'>,
): LocalList {
  if (list !== null && !isAfter(position, list.position)) return list;
  if (list?.version === version) return { ...list, position };
  return { version, entries: [], isComplete: version <= 0, updatedAt: at, position, wholeAt: position };
}
