// The events of sessions, from their rows.
import { endedData, startedData } from '@busbar/domain/feed';
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import type { BatchEvents } from '../../feed/batch-events';

export function emitStarted({ emit }: BatchEvents, session: Session): void {
  emit('session.started', startedData(session));
}

/** `superseded`: its stop was lost, and it has no end. */
export function emitEnded({ emit }: BatchEvents, session: Session, superseded: boolean): void {
  emit('session.ended', endedData(session, superseded));
}

/** The end of a session whose stop was lost. One that its operator has ended has an end. */
export function emitGivenUp(events: BatchEvents, session: Session): void {
  const isOpen = session.endTime === null;
  if (isOpen || session.endedBy === 'operator') emitEnded(events, session, isOpen);
}

/**
 * Whether the row of a session has its charger's end, and the record still shows it: the row was stored before the rest of its batch, and the
 * process died then. The charger got no answer, and sends the end again as another message. An operator's end is announced by what removes
 * the session from the record.
 */
export function isEndUnannounced({ reported }: Charger, { endedBy, sessionId }: Session): boolean {
  return endedBy === 'charger' && Object.values(reported.ongoing).some((each) => each.sessionId === sessionId);
}
