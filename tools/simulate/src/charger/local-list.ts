// The local authorization list and the authorization cache (OCPP 1.6, 3.5).
import type { V16Requests, V16Responses } from '@busbar/ocpp';

export type TagInfo = V16Responses['Authorize']['idTagInfo'];
export type ListUpdate = V16Requests['SendLocalList'];

export interface LocalList {
  version: number;
  /** By idTag in lower case: 7.28 compares without case. */
  tags: Map<string, TagInfo>;
}

const MAX_TAGS = 1000;
const MAX_UPDATE = 500;
const MAX_CACHED = 500;

export function emptyLocalList(): LocalList {
  return { version: 0, tags: new Map() };
}

/** Applies a full or differential update (5.15), wholly or not at all. */
export function updateLocalList(list: LocalList, update: ListUpdate): 'Accepted' | 'Failed' | 'VersionMismatch' {
  const { listVersion, updateType, localAuthorizationList: entries = [] } = update;
  const isFull = updateType === 'Full';
  if (listVersion < 1 || entries.length > MAX_UPDATE) return 'Failed';
  if (!isFull && listVersion <= list.version) return 'VersionMismatch';
  if (isFull && entries.some(({ idTagInfo }) => idTagInfo === undefined)) return 'Failed';
  const tags = new Map(isFull ? [] : list.tags);
  for (const { idTag, idTagInfo } of entries) {
    if (idTagInfo === undefined) tags.delete(idTag.toLowerCase());
    else tags.set(idTag.toLowerCase(), idTagInfo);
  }
  if (tags.size > MAX_TAGS) return 'Failed';
  list.version = listVersion;
  list.tags = tags;
  return 'Accepted';
}

/** The standing of a tag in the list or cache at a time; undefined where it is absent. */
export function standingOf(tags: ReadonlyMap<string, TagInfo>, idTag: string, at: Date): TagInfo | undefined {
  const info = tags.get(idTag.toLowerCase());
  if (info === undefined) return undefined;
  const hasExpired = info.expiryDate !== undefined && new Date(info.expiryDate) <= at;
  return hasExpired ? { ...info, status: 'Expired' } : info;
}

/** Caches the verdict of the service on a tag. A full cache evicts the oldest. */
export function cacheTag(cache: Map<string, TagInfo>, idTag: string, info: TagInfo): void {
  const key = idTag.toLowerCase();
  cache.delete(key);
  cache.set(key, info);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}
