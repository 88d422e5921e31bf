import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';
import { tagKey } from '../tags/tag';

export interface LocalListEntry {
  readonly idTag: string;
  readonly status: string;
  readonly expiryDate: string | null;
  readonly parentIdTag: string | null;
}

/** The list by which a charger authorizes drivers while it has no connection. */
export interface LocalList {
  /** As the charger counts: 0 for an empty list, -1 where it has none at all. */
  readonly version: number;
  readonly entries: readonly LocalListEntry[];
  /** False where the charger holds a list that was not, or not wholly, sent by way of us, or one too long to be kept. */
  readonly isComplete: boolean;
  readonly updatedAt: Timestamp;
  readonly position: Position;
  /** Where the whole list was told last: what is told late of before is not missing. */
  readonly wholeAt?: Position;
}

/** What was sent and accepted. */
export interface LocalListUpdate {
  readonly version: number;
  /** Only what changes; else the whole list. */
  readonly isDifferential: boolean;
  /** Without `status`: to be taken off. */
  readonly entries: readonly (Omit<LocalListEntry, 'status'> & { readonly status: string | null })[];
  readonly at: Timestamp;
  readonly position: Position;
}

/** More than any charger takes (LocalAuthListMaxLength). */
const MAX_LIST_ENTRIES = 10_000;
const BEFORE_ALL: Position = [0, 0];

/**
 * The list after an update that the charger accepted. One that is told of after a later one changes nothing; but the charger
 * had it before that, so what it changed is missing here, unless the whole list was sent since.
 */
export function withListUpdate(list: LocalList | null, update: LocalListUpdate): LocalList {
  if (list !== null && !isAfter(update.position, list.position)) return withLateUpdate(list, update);
  const { version, isDifferential, at, position } = update;
  const entries = changedEntries(isDifferential && list !== null ? list.entries : [], update);
  const isComplete = (!isDifferential || list?.isComplete === true) && entries.length <= MAX_LIST_ENTRIES;
  const wholeAt = isDifferential ? list?.wholeAt : position;
  return {
    ...{ version, entries: entries.slice(0, MAX_LIST_ENTRIES), isComplete, updatedAt: at, position },
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

/** The list after the charger told its version: where that is another one, what is on it is not known any more. */
export function withListVersion(
  list: LocalList | null,
  { version, at, position }: Pick<LocalListUpdate, 'version' | 'at' | 'position'>,
): LocalList {
  if (list !== null && !isAfter(position, list.position)) return list;
  if (list?.version === version) return { ...list, position };
  return { version, entries: [], isComplete: version <= 0, updatedAt: at, position, wholeAt: position };
}
