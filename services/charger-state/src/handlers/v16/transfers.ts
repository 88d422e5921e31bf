// Commands that a charger continues after its response, and reports by notifications. The request is stored as an event in
// the API's terms, beside the events of its progress.
import { attempts, transferOutcome, type RequestFields } from '../shared/transfers';
import type { TransferKind } from '@busbar/domain/commands';
import type { Action, OutcomeHandler, RequestOf, ResponseOf } from './route';

/** OCPP 1.6 5.19 */
export const updateFirmwareOutcome = transfer<'UpdateFirmware'>('firmware', (request) => ({
  location: request.location,
  retrieveAt: request.retrieveDate,
  ...attempts(request),
}));

/** OCPP 1.6 security whitepaper, 5.11 */
export const signedUpdateFirmwareOutcome = transfer<'SignedUpdateFirmware'>('firmware', ({ firmware, ...request }) => ({
  location: firmware.location,
  retrieveAt: firmware.retrieveDateTime,
  installAt: firmware.installDateTime ?? null,
  isSigned: true,
  requestId: request.requestId,
  ...attempts(request),
}));

/** OCPP 1.6 5.9 */
export const getDiagnosticsOutcome = transfer<'GetDiagnostics'>(
  'diagnostics',
  (request) => ({
    location: request.location,
    startTime: request.startTime ?? null,
    stopTime: request.stopTime ?? null,
    ...attempts(request),
  }),
  ({ fileName }) => fileName,
);

/** OCPP 1.6 security whitepaper, 5.4 */
export const getLogOutcome = transfer<'GetLog'>(
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

function transfer<A extends Action>(
  kind: TransferKind,
  encode: (request: RequestOf<A>) => RequestFields,
  fileNameOf?: (response: ResponseOf<A>) => string | undefined,
): OutcomeHandler<A> {
  return transferOutcome(kind, encode, fileNameOf);
}
