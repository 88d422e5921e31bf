// The events of sessions, from their rows.
import { endedData, startedData } from '@busbar/domain/feed';
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
