import type { Clock } from '@busbar/core';
import type { ClientReader } from '../clients/client';
import { toTimestamp } from '../timestamp';
import { judgeTag, type ChargingPlace, type KnownTag } from './judge-tag';
import type { SessionReader } from '../sessions/session-reader';
import { tagKey, type TagReader, type TagVerdict } from './tag';

export interface JudgeTagDeps {
  readonly tags: Pick<TagReader, 'findByKeys'>;
  readonly clients: Pick<ClientReader, 'find'>;
  readonly sessions: Pick<SessionReader, 'findOngoingByTags'>;
  readonly clock: Clock;
}

export interface PresentedTag extends Pick<KnownTag, 'authorization'> {
  readonly idTag: string;
}

/**
 * Judges whether a start with that tag would be accepted there now: the same judgement, asked before a remote start.
 */
export async function judgeTagNow(
  deps: JudgeTagDeps,
  clientId: string,
  { idTag, authorization }: PresentedTag,
  place: ChargingPlace,
): Promise<TagVerdict> {
  const keys = [tagKey(idTag)];
  const [[tag], client, ongoing] = await Promise.all([
    deps.tags.findByKeys(clientId, keys),
    deps.clients.find(clientId),
    deps.sessions.findOngoingByTags(clientId, keys),
  ]);
  const known = { tag, openCharging: client?.openCharging ?? false, authorization, ongoing };
  return judgeTag(known, place, toTimestamp(deps.clock.now()));
}
