// The push messages of v1. ChargingTransaction and Measurements are documented in part only: they have the fields of v2 under v1's names.
import type { FeedEvent } from '@busbar/contracts';
import { measurementsBody, type PushBody } from './push-body';
import type { PushFact } from './push-facts';

/** `timeStamp`: when the service received it. */
export function pushV1Body(fact: PushFact, { chargerId, timestamp: timeStamp }: FeedEvent): PushBody {
  switch (fact.kind) {
    case 'ChargerState': {
      const { socketId, status, errorCode, message } = fact;
      return { chargerId, socketId, timeStamp, status, errorCode, message };
    }
    case 'ChargerBoot': {
      const { serial, model, manufacturer, firmware, iccid, imsi, meterSerialNumber, meterType } = fact.boot;
      const device = { serialNumber: serial, chargerModel: model, manufacturer, firmwareVersion: firmware };
      return { chargerId, timeStamp, ...device, iccid, imsi, meterSerialNumber, meterType };
    }
    case 'ChargingTransaction': {
      const { action, meterRead, session } = fact;
      const { socketId, transactionId, rfidTag: authorizedIdTag } = session;
      return { chargerId, socketId, timeStamp, action, transactionId, authorizedIdTag, meterRead };
    }
    case 'FullChargingTransaction': {
      const { socketId, startTime, transactionId, rfidTag, meterStart, meterStop, consumptionWh } = fact.session;
      return {
        chargerId,
        socketId,
        timeStampStart: startTime,
        timeStampEnd: fact.endTime,
        transactionId,
        authorizedIdTag: rfidTag,
        meterReadStart: meterStart,
        meterReadEnd: meterStop,
        consumptionWh,
      };
    }
    case 'Measurements':
      return measurementsBody(fact.measured, { chargerId, timestamp: timeStamp });
  }
}
