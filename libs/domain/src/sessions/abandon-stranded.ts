// A charger's deletion is two writes: its record, then its open sessions. A failure between them strands the sessions,
// and their tags would stay in use for ever. This finds and abandons them.
import type { ChargerReader } from '../chargers/charger';
import type { SessionWriter } from './session';
import type { SessionReader } from './session-reader';

export interface AbandonStrandedDeps {
  readonly sessions: Pick<SessionReader, 'ongoingAfter'> & Pick<SessionWriter, 'abandon'>;
  readonly chargers: Pick<ChargerReader, 'incarnationsOf'>;
}

export interface StrandedPortion {
  /** Ids of the deleted chargers whose sessions were abandoned. */
  readonly chargerIds: readonly string[];
  /** Where the next batch begins; undefined after the last one. */
  readonly next: number | undefined;
}

/**
 * Reads the next ongoing sessions after this transaction id, at most `limit`, and abandons those whose charger is
 * deleted or another incarnation. A charger is stored before its first session and an incarnation never returns. So
 * reading the session first is safe. Idempotent.
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
