// The push messages of v2.
import type { FeedEvent } from '@busbar/contracts';
import { measurementsBody, textOf, type PushBody } from './push-body';
import type { PushFact } from './push-facts';
import type { PushedCharger } from './pushed-charger';

type Envelope = ReturnType<typeof envelopeOf>;

/** Undefined where v2 has no such message: the end of a session is FullChargingTransaction alone. */
export function pushV2Body(fact: PushFact, event: FeedEvent, charger: PushedCharger): PushBody | undefined {
  const { chargerId } = event;
  const envelope = envelopeOf(event);
  switch (fact.kind) {
    case 'ChargerState': {
      const { socketId, deviceTime: deviceTimeStamp, status, errorCode, message } = fact;
      return { chargerId, socketId, ...envelope, deviceTimeStamp, status, errorCode, message };
    }
    case 'ChargerBoot': {
      const { serial, model, manufacturer, firmware, iccid, imsi, meterSerialNumber, meterType } = fact.boot;
      const device = { serialNumber: serial, chargerModel: model, manufacturer, firmwareVersion: firmware };
      return { chargerId, ...envelope, ...device, iccid, imsi, meterSerialNumber, meterType };
    }
    case 'ChargingTransaction':
      return fact.action === 'transaction_start' ? startBody(fact, { chargerId, envelope }, charger) : undefined;
    case 'FullChargingTransaction':
      return endBody(fact, { chargerId, envelope });
    case 'Measurements':
      return measurementsBody(fact.measured, event);
  }
}

function envelopeOf({ timestamp, siteId, externalSiteId }: FeedEvent) {
  return { receivedTimestamp: timestamp, siteId: textOf(siteId), externalSiteId };
}

interface Origin {
  readonly chargerId: string | null;
  readonly envelope: Envelope;
}

function startBody(
  { action, session, deviceTime, meterRead }: Extract<PushFact, { kind: 'ChargingTransaction' }>,
  { chargerId, envelope }: Origin,
  { sockets }: PushedCharger,
): PushBody {
  const { socketId, transactionId, rfidTag } = session;
  return {
    chargerId,
    socketId,
    socketName: sockets.find(({ id }) => id === socketId)?.name ?? '',
    ...envelope,
    deviceTimeStamp: deviceTime,
    action,
    transactionId: textOf(transactionId),
    authorizedIdTag: rfidTag,
    meterRead,
  };
}

function endBody(
  { session, endTime }: Extract<PushFact, { kind: 'FullChargingTransaction' }>,
  { chargerId, envelope }: Origin,
): PushBody {
  return {
    chargerId,
    socketId: session.socketId,
    ...envelope,
    deviceTimeStampStart: session.startTime,
    deviceTimeStampEnd: endTime,
    transactionId: textOf(session.transactionId),
    authorizedIdTag: session.rfidTag,
    meterReadStart: session.meterStart,
    meterReadEnd: session.meterStop,
    consumptionWh: session.consumptionWh,
    action: 'transaction_stop',
  };
}
