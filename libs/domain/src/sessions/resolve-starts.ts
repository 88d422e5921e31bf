// Resolves simultaneous starts with one tag (rule 61), reported by chargers whose messages different replicas or
// partitions take.
import type { Timestamp } from '../timestamp';
import { isSamePlace } from '../tags/judge-tag';
import type { Session } from './session';
import type { SessionReader } from './session-reader';
import { tagId } from '../tags/tag';
import type { TagClaim, TagClaimChange, TagClaimStore } from '../tags/tag-claim';

export interface ResolveStartsDeps {
  readonly claims: TagClaimStore;
  readonly sessions: Pick<SessionReader, 'findByIds'>;
}

/**
 * The ids of those sessions whose tag another session has. All of them must be stored and accepted: then the loser of a
 * claim finds the winner's session. Transaction ids do not decide, since a lower one may be stored later. Idempotent.
 * Starts with one tag in the same call were judged one after the other, so they share the verdict.
 */
export async function resolveStarts(
  starts: readonly Session[],
  at: Timestamp,
  { claims, sessions }: ResolveStartsDeps,
): Promise<string[]> {
  if (starts.length === 0) return [];
  const wanted = [...new Map(starts.map((start) => [tagId(start), start])).values()];
  const before = byTag(await claims.find(wanted));
  const claimed = await sessions.findByIds([...before.values()].map(({ sessionId }) => sessionId));
  const holders = new Map(claimed.map((session) => [session.sessionId, session]));
  const changes = wanted.flatMap((start): TagClaimChange[] => {
    const insteadOf = before.get(tagId(start))?.sessionId;
    if (insteadOf !== undefined && keeps(holders.get(insteadOf), start)) return [];
    const { clientId, idTagKey, sessionId } = start;
    return [{ claim: { clientId, idTagKey, sessionId, at }, insteadOf }];
  });
  if (changes.length > 0) await claims.take(changes);
  const after = changes.length > 0 ? byTag(await claims.find(wanted)) : before;
  const winners = new Set([...after.values()].map(({ sessionId }) => sessionId));
  const won = new Set(starts.filter(({ sessionId }) => winners.has(sessionId)).map(tagId));
  const lost = starts.filter((start) => !won.has(tagId(start)));
  if (lost.length === 0) return [];
  // Another replica may have taken this start before, and a later one at the same place with the claim.
  const rivals = await sessions.findByIds([...winners]);
  return lost.filter((start) => !rivals.some(isAlso(start))).map(({ sessionId }) => sessionId);
}

/** Whether a session has the tag of the start, at the same place. */
function isAlso(start: Session): (session: Session) => boolean {
  return (session) => tagId(session) === tagId(start) && isSamePlace(session, start);
}

/** Returns whether the session of a claim prevents that start, or is that start. */
function keeps(holder: Session | undefined, start: Session): boolean {
  if (holder === undefined || holder.state !== 'ongoing' || holder.tagReleased === true) return false;
  return holder.sessionId === start.sessionId || !isSamePlace(holder, start);
}

function byTag(claims: readonly TagClaim[]): ReadonlyMap<string, TagClaim> {
  return new Map(claims.map((claim) => [tagId(claim), claim]));
}
