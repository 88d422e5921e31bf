import type { LocatedSession, MeterValueRow } from '@busbar/domain';

/** The session record. */
export function presentSession({ session, siteName }: LocatedSession) {
  return {
    transactionId: session.transactionId,
    chargerId: session.chargerId,
    socketId: session.socketId,
    rfidTag: session.idTag,
    startTime: session.startTime,
    endTime: session.endTime,
    meterStart: session.meterStart,
    meterStop: session.meterStop,
    consumptionWh: session.consumptionWh,
    stopReason: session.stopReason,
    state: session.state,
    startedOffline: session.startedOffline,
    startedBy: session.startedBy ?? null,
    commandId: session.commandId ?? null,
    stopCommandId: session.stopCommandId ?? null,
    siteId: session.siteId,
    siteName,
  };
}

/** One message with meter values. */
export function presentMeterValues({ receivedAt, socketId, payload }: MeterValueRow) {
  return { receivedAt, socketId, message: { ...payload } };
}
