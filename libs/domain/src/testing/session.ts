import type { DeviceTransaction, Session } from '../sessions/session';
import { tagKey } from '../tags/tag';

const AT = '2026-01-01T00:00:00.000Z';

/** An ongoing session of ACME_1 at socket 1, with these parts. Its other ids and keys follow from them. */
export function newSession(part: Partial<Session> = {}): Session {
  const { transactionId = 7, chargerId = 'ACME_1', idTag = 'Tag', startTime = AT } = part;
  return {
    sessionId: `s${String(transactionId)}`,
    transactionId,
    chargerId,
    incarnationId: `${chargerId}-1`,
    clientId: 'client',
    siteId: 1,
    socketId: 1,
    idTag,
    idTagKey: tagKey(idTag),
    startTime,
    recordedAt: startTime,
    meterStart: 0,
    startedOffline: false,
    state: 'ongoing',
    endTime: null,
    meterStop: null,
    consumptionWh: null,
    stopReason: null,
    ...part,
  };
}

/** What OCPP 2.x alone reports of a transaction T-1 whose start has come, with these parts. */
export function newDeviceTransaction(part: Partial<DeviceTransaction> = {}): DeviceTransaction {
  return {
    id: 'T-1',
    key: 'key-1',
    evseId: null,
    connectorId: null,
    idTokenType: null,
    chargingState: null,
    timeSpentChargingS: null,
    startKnown: true,
    missingEvents: [],
    facts: undefined,
    revision: 1,
    ...part,
  };
}
