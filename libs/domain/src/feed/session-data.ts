// The data of a session's events, from its row.
import type { EventData } from '@busbar/contracts';
import type { Session } from '../sessions/session';

export function startedData(session: Session): EventData<'session.started'> {
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

/** `superseded`: its stop was lost, and it has no end. */
export function endedData(session: Session, superseded: boolean): EventData<'session.ended'> {
  const { endTime, meterStop, consumptionWh, stopReason } = session;
  return { ...startedData(session), endTime, meterStop, consumptionWh, stopReason, superseded };
}
