import type { LocatedSession, MeterValueRow, Session, TransactionEventRow } from '@busbar/domain/sessions';

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
    endedBy: session.endedBy ?? null,
    authorization: presentAuthorization(session),
    startedOffline: session.startedOffline,
    startedBy: session.startedBy ?? null,
    commandId: session.commandId ?? null,
    stopCommandId: session.stopCommandId ?? null,
    siteId: session.siteId,
    siteName,
    updatedAt: session.updatedAt ?? session.recordedAt,
    ...presentDevice(session),
  };
}

const NO_DEVICE = {
  deviceTransactionId: null,
  evseId: null,
  connectorId: null,
  idTokenType: null,
  chargingState: null,
  timeSpentChargingS: null,
  startKnown: null,
  missingEvents: null,
  chargingNeeds: null,
  chargingSchedule: null,
};

/** What OCPP 2.x alone reports: null for 1.6. */
function presentDevice({ device }: Session) {
  if (device === undefined) return NO_DEVICE;
  const { id, evseId, connectorId, idTokenType, chargingState, timeSpentChargingS, startKnown, missingEvents } = device;
  return {
    deviceTransactionId: id,
    evseId,
    connectorId,
    idTokenType,
    chargingState,
    timeSpentChargingS,
    startKnown,
    missingEvents: [...missingEvents],
    chargingNeeds: device.chargingNeeds ?? null,
    chargingSchedule: device.chargingSchedule ?? null,
  };
}

function presentAuthorization({ verdict = 'accepted', authorizedBy = 'own' }: Session) {
  const judged =
    verdict === 'accepted'
      ? { status: 'accepted' as const, reason: null }
      : { status: 'refused' as const, reason: verdict };
  return { ...judged, source: authorizedBy };
}

/** One message with meter values. */
export function presentMeterValues({ receivedAt, socketId, payload }: MeterValueRow) {
  return { receivedAt, socketId, message: { ...payload } };
}

/** One TransactionEvent of OCPP 2.x. */
export function presentTransactionEvent(row: TransactionEventRow) {
  const { seqNo, eventType, triggerReason, chargingState, offline, timestamp } = row;
  return { seqNo, eventType, triggerReason, chargingState, offline, timestamp };
}
