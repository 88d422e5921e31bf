import { AppError, type Clock } from '@busbar/core';
import type { Charger, ChargerReader, ChargerWriter } from '../chargers/charger';
import { toTimestamp } from '../timestamp';
import { retryOnConflict } from '../retry-on-conflict';
import { isOpen, type Session, type SessionEnd, type SessionWriter } from './session';
import type { LocatedSession } from './session-search';
import { readSession, type ReadSessionsDeps } from './read-sessions';

export interface EndSessionDeps {
  readonly sessions: ReadSessionsDeps['sessions'] & Pick<SessionWriter, 'end' | 'endAnnounced'>;
  readonly chargers: Pick<ChargerReader, 'find'> & Pick<ChargerWriter, 'replaceOngoing'>;
  readonly sites: ReadSessionsDeps['sites'];
  readonly clock: Clock;
}

export interface OwnedSession {
  readonly clientId: string;
  readonly transactionId: number;
}

const CONTENDED = 'Others keep changing the session.';

/**
 * Ends a session on behalf of its operator. The charger is not notified, and no later message of it opens the session
 * again. Throws `not_found`, and `conflict` for an ended session.
 */
export async function endSession(
  deps: EndSessionDeps,
  { clientId, transactionId }: OwnedSession,
  reason?: string,
): Promise<LocatedSession> {
  const isEnded = await retryOnConflict(CONTENDED, async () => {
    const { session } = await readSession(deps, clientId, transactionId);
    if (!isOpen(session)) {
      // The process that ended it may have died before these writes.
      await announceEnd(deps, session, session.endedBy === 'operator' ? session : undefined);
      return false;
    }
    const state = session.state === 'refused' ? 'refused' : 'ended';
    const end: SessionEnd = {
      state,
      endTime: toTimestamp(deps.clock.now()),
      stopReason: reason ?? null,
      ...((await isAnnouncedByOthers(deps, session)) ? {} : { endUnannounced: true }),
    };
    if (!(await deps.sessions.end(session, end))) return undefined;
    await announceEnd(deps, session, { ...session, ...end, endedBy: 'operator' });
    return true;
  });
  if (!isEnded) throw new AppError('conflict', `The session ${String(transactionId)} has ended already.`);
  return readSession(deps, clientId, transactionId);
}

/** The record shows it, so that what removes it there announces its end; or a later start has superseded it, and announced that. */
async function isAnnouncedByOthers({ chargers }: Pick<EndSessionDeps, 'chargers'>, session: Session): Promise<boolean> {
  const charger = await chargers.find(session.chargerId);
  if (charger?.incarnationId !== session.incarnationId) return true;
  const isShown = Object.values(charger.reported.ongoing).some(({ sessionId }) => sessionId === session.sessionId);
  return isShown || isSuperseded(charger, session);
}

async function announceEnd(
  deps: Pick<EndSessionDeps, 'chargers' | 'sessions'>,
  before: Session,
  ended: Session | undefined,
): Promise<void> {
  await forgetOngoing(deps, before, ended);
  if (ended?.endUnannounced === true) await deps.sessions.endAnnounced(ended.sessionId);
}

/** Removes the session from its charger's record, which announces its end. `before`: as it was read. */
async function forgetOngoing(
  { chargers }: Pick<EndSessionDeps, 'chargers'>,
  before: Session,
  ended: Session | undefined,
): Promise<void> {
  const { chargerId, incarnationId, sessionId } = before;
  const mayBeMissing = isOpen(before) || before.endUnannounced === true;
  await retryOnConflict(CONTENDED, async () => {
    const charger = await chargers.find(chargerId);
    if (charger?.incarnationId !== incarnationId) return true;
    const { ongoing } = charger.reported;
    const entries = Object.entries(ongoing);
    const left = entries.filter(([, each]) => each.sessionId !== sessionId);
    if (left.length < entries.length) {
      return (await chargers.replaceOngoing(charger, Object.fromEntries(left), ended)) || undefined;
    }
    if (!mayBeMissing || isSuperseded(charger, before)) return true;
    return (await chargers.replaceOngoing(charger, ongoing, ended)) || undefined;
  });
}

/** A later start at its socket removed it from the record meanwhile, and announced its end. */
function isSuperseded({ reported }: Charger, { state, socketId, transactionId, device }: Session): boolean {
  // Of OCPP 2.x the row says so.
  if (device !== undefined) return state === 'superseded';
  const now = reported.ongoing[String(socketId)];
  return state === 'ongoing' && now !== undefined && now.transactionId > transactionId;
}
