import type { LocatedSession, SessionSummary } from '@busbar/domain/sessions';

/** A session as a transaction. Before its end unknown texts are `''` and numbers are absent (ADR 10). */
export function presentTransaction({ session, siteName }: LocatedSession<SessionSummary>) {
  return {
    transactionId: session.transactionId,
    chargerId: session.chargerId,
    socketId: session.socketId,
    rfidTag: session.idTag,
    startTimeUTC: session.startTime,
    endTimeUTC: session.endTime ?? '',
    meterStart: session.meterStart ?? 0,
    ...(session.meterStop === null ? {} : { meterStop: session.meterStop }),
    ...consumptionOf(session.consumptionWh),
    ...lengthOf(session),
    stopReason: session.stopReason ?? '',
    groupId: session.siteId,
    groupName: siteName,
  };
}

function consumptionOf(consumptionWh: number | null) {
  return consumptionWh === null ? {} : { consumptionWH: consumptionWh, consumptionKWH: consumptionWh / 1000 };
}

/** In hundredths of a minute. Never negative, though a charger's clock may be set back during a session. */
function lengthOf({ startTime, endTime }: SessionSummary) {
  if (endTime === null) return {};
  const minutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000;
  return { transactionLengthMinutes: Math.max(0, Math.round(minutes * 100) / 100) };
}
