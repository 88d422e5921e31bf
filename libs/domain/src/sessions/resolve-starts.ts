// Which of the sessions that were begun with one tag in the same moment, by chargers whose messages different replicas or
// partitions take, may keep it (rule 61).
import type { Timestamp } from '../timestamp';
import { isSamePlace } from '../tags/judge-tag';
import type { Session } from './session';
import type { SessionReader } from './session-reader';
import type { TagClaim, TagClaimChange, TagClaimStore } from '../tags/tag-claim';

export interface ResolveStartsDeps {
  readonly claims: TagClaimStore;
  readonly sessions: Pick<SessionReader, 'findByIds'>;
}

/**
 * The ids of those sessions whose tag another one has. All must be stored already, and be accepted as far as anybody could
 * see: whoever comes second to a tag's claim then finds a session behind it. No number decides: a lower transaction id may
 * be stored after a higher one was answered. The same again for the same sessions, however often it is asked. Starts of one
 * tag given together were judged one after the other, so they stand or fall together.
 */
export async function resolveStarts(
  starts: readonly Session[],
  at: Timestamp,
  { claims, sessions }: ResolveStartsDeps,
): Promise<string[]> {
  if (starts.length === 0) return [];
  const wanted = [...new Map(starts.map((start) => [tagOf(start), start])).values()];
  const before = byTag(await claims.find(wanted));
  const held = await sessions.findByIds([...before.values()].map(({ sessionId }) => sessionId));
  const holders = new Map(held.map((session) => [session.sessionId, session]));
  const changes = wanted.flatMap((start): TagClaimChange[] => {
    const insteadOf = before.get(tagOf(start))?.sessionId;
    if (insteadOf !== undefined && keeps(holders.get(insteadOf), start)) return [];
    const { clientId, idTagKey, sessionId } = start;
    return [{ claim: { clientId, idTagKey, sessionId, at }, insteadOf }];
  });
  if (changes.length > 0) await claims.take(changes);
  const after = changes.length > 0 ? byTag(await claims.find(wanted)) : before;
  const winners = new Set([...after.values()].map(({ sessionId }) => sessionId));
  const won = new Set(starts.filter(({ sessionId }) => winners.has(sessionId)).map(tagOf));
  return starts.filter((start) => !won.has(tagOf(start))).map(({ sessionId }) => sessionId);
}

/** Whether the session behind a claim stands in the way of that start, or is that start. */
function keeps(holder: Session | undefined, start: Session): boolean {
  if (holder === undefined || holder.state !== 'ongoing' || holder.tagReleased === true) return false;
  return holder.sessionId === start.sessionId || !isSamePlace(holder, start);
}

function byTag(claims: readonly TagClaim[]): ReadonlyMap<string, TagClaim> {
  return new Map(claims.map((claim) => [tagOf(claim), claim]));
}

function tagOf({ clientId, idTagKey }: Pick<TagClaim, 'clientId' | 'idTagKey'>): string {
  return `${clientId}/${idTagKey}`;
}
