// A charger is deleted in two writes: its record, then its sessions that are under way. Whatever died between the two left
// sessions that nobody will end, and whose tags would be in use for ever. They are found by what they are.
import type { ChargerReader } from '../chargers/charger';
import type { SessionWriter } from './session';
import type { SessionReader } from './session-reader';

export interface AbandonStrandedDeps {
  readonly sessions: Pick<SessionReader, 'ongoingAfter'> & Pick<SessionWriter, 'abandon'>;
  readonly chargers: Pick<ChargerReader, 'incarnationsOf'>;
}

export interface StrandedPortion {
  /** Ids of chargers that are gone and whose sessions were under way. */
  readonly chargerIds: readonly string[];
  /** Where the next portion begins; undefined after the last one. */
  readonly next: number | undefined;
}

/**
 * Looks at the next sessions under way after this transaction id, at most `limit`, and abandons those whose charger is not
 * registered, or is another incarnation. The session is read first, then whether its charger is there: a charger is stored
 * before its first session and an incarnation never comes back, so one that exists loses nothing. Doing it twice is harmless.
 */
export async function abandonStranded(
  { sessions, chargers }: AbandonStrandedDeps,
  after: number,
  limit: number,
): Promise<StrandedPortion> {
  const ongoing = await sessions.ongoingAfter(after, limit);
  const present = await chargers.incarnationsOf([...new Set(ongoing.map(({ chargerId }) => chargerId))]);
  const stranded = ongoing.filter(({ chargerId, incarnationId }) => present.get(chargerId) !== incarnationId);
  const gone = new Map(stranded.map((session) => [session.incarnationId, session.chargerId]));
  for (const [incarnationId, chargerId] of gone) await sessions.abandon(chargerId, incarnationId);
  return {
    chargerIds: [...gone.values()],
    next: ongoing.length < limit ? undefined : ongoing.at(-1)?.transactionId,
  };
}
