import { attempts, transferOutcome } from '../shared/transfers';
import type { OutcomeHandler } from './route';

/** OCPP 2.0.1, L01 and L02. */
export const updateFirmwareOutcome: OutcomeHandler<'UpdateFirmware'> = transferOutcome(
  'firmware',
  ({ firmware, ...request }) => ({
    location: firmware.location,
    retrieveAt: firmware.retrieveDateTime,
    installAt: firmware.installDateTime ?? null,
    isSigned: firmware.signature !== undefined,
    requestId: request.requestId,
    ...attempts(request),
  }),
);

/** OCPP 2.0.1, N01. */
export const getLogOutcome: OutcomeHandler<'GetLog'> = transferOutcome(
  'log',
  ({ log, ...request }) => ({
    location: log.remoteLocation,
    logType: request.logType,
    requestId: request.requestId,
    startTime: log.oldestTimestamp ?? null,
    stopTime: log.latestTimestamp ?? null,
    ...attempts(request),
  }),
  ({ filename }) => filename,
);
