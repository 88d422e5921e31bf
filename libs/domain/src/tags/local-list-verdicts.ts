// Fills in the entries of a local list from the tags' records.
import { omitNil } from '../nullable';
import { appliesAt, type AuthorizationEndpointReader } from '../real-time-authorization/authorization-endpoint';
import { toTimestamp } from '../timestamp';
import { standingOf } from './judge-tag';
import { tagKey, type Tag, type TagStanding } from './tag';
import type { JudgeTagDeps } from './judge-tag-now';

type ListStatus = 'Accepted' | 'Blocked' | 'Expired' | 'Invalid';

export interface LocalListEntry {
  readonly rfidTag: string;
  /** Absent: the tag's own standing. Null: remove the tag from the list. */
  readonly status?: ListStatus | null | undefined;
  readonly expiringDate?: string | undefined;
  readonly parentRfidTag?: string | undefined;
}

export interface JudgedEntry {
  readonly rfidTag: string;
  readonly status?: ListStatus;
  readonly expiringDate?: string;
  readonly parentRfidTag?: string;
  /** The type in the tag's record. */
  readonly type?: string;
  /** The parent in the tag's record, where the caller gives none. Some OCPP versions cannot carry a long one. */
  readonly inheritedParentRfidTag?: string;
}

const STATUS: Readonly<Record<TagStanding, ListStatus>> = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  not_yet_valid: 'Invalid',
  unknown: 'Invalid',
};

export interface JudgeListDeps extends Pick<JudgeTagDeps, 'tags' | 'clients' | 'clock'> {
  readonly authorizationEndpoints: Pick<AuthorizationEndpointReader, 'find'>;
}

/**
 * Gives each entry without a status the standing, expiry and parent of its tag's record, as for an Authorize now. An endpoint for real-time
 * authorization is not asked: where one applies to the charger, an unknown tag is invalid.
 */
export async function judgeLocalList(
  { tags, clients, authorizationEndpoints, clock }: JudgeListDeps,
  { clientId, siteId }: { readonly clientId: string; readonly siteId: number | undefined },
  entries: readonly LocalListEntry[],
): Promise<JudgedEntry[]> {
  const isJudged = entries.every(({ status }) => status !== undefined);
  const keys = entries.map(({ rfidTag }) => tagKey(rfidTag));
  const [found, client, endpoint] = await Promise.all([
    tags.findByKeys(clientId, keys),
    isJudged ? undefined : clients.find(clientId),
    isJudged ? undefined : authorizationEndpoints.find(clientId),
  ]);
  const isAsked = endpoint !== undefined && siteId !== undefined && appliesAt(endpoint, siteId);
  const openCharging = !isAsked && client?.openCharging === true;
  const records = new Map(found.map((tag) => [tag.idTagKey, tag]));
  const now = toTimestamp(clock.now());
  return entries.map((entry) => {
    const tag = records.get(tagKey(entry.rfidTag));
    return judged(entry, tag, STATUS[standingOf(tag, openCharging, now)]);
  });
}

/** With a status of the caller's, the tag gives its type alone. */
function judged(entry: LocalListEntry, tag: Tag | undefined, verdict: ListStatus): JudgedEntry {
  const { rfidTag, parentRfidTag, status = verdict } = entry;
  const own = entry.status === undefined ? tag : undefined;
  return omitNil<JudgedEntry>({
    rfidTag,
    status,
    type: tag?.type,
    expiringDate: entry.expiringDate ?? own?.expiringDate,
    parentRfidTag,
    inheritedParentRfidTag: parentRfidTag === undefined ? own?.parentIdTag : undefined,
  });
}
