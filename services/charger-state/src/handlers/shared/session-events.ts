// The events of sessions, from their rows.
import type { EventData } from '@busbar/contracts';
import type { Session } from '@busbar/domain/sessions';
import type { BatchEvents } from '../../feed/batch-events';

export function emitStarted({ emit }: BatchEvents, session: Session): void {
  emit('session.started', startOf(session));
}

/** `superseded`: its stop was lost, and it has no end. */
export function emitEnded({ emit }: BatchEvents, session: Session, superseded: boolean): void {
  const { endTime, meterStop, consumptionWh, stopReason } = session;
  emit('session.ended', { ...startOf(session), endTime, meterStop, consumptionWh, stopReason, superseded });
}

function startOf(session: Session): EventData<'session.started'> {
  return {
    transactionId: session.transactionId,
    socketId: session.socketId,
    rfidTag: session.idTag,
    startTime: session.startTime,
    meterStart: session.meterStart,
    verdict: session.verdict ?? 'accepted',
    startedBy: session.startedBy ?? 'local',
    commandId: session.commandId ?? null,
    offline: session.startedOffline,
  };
}
