// Uploads of logs and downloads of firmware in OCPP 2.x.
import { given } from '../operations/calls';
import type { OperationTable } from '../operations/operation';
import { call } from './operation-parts';

const DEFAULT_LOG = 'DiagnosticsLog';

export const transferOperations: OperationTable = {
  getDiagnostics: ({ location, startTime, stopTime, logType = DEFAULT_LOG, requestId, ...attempts }) =>
    call(
      'GetLog',
      {
        log: {
          remoteLocation: location,
          ...given('oldestTimestamp', startTime),
          ...given('latestTimestamp', stopTime),
        },
        logType,
        requestId,
        ...attemptsOf(attempts),
      },
      (answer) => ({ status: answer.status, fileName: answer.filename ?? null, requestId }),
    ),
  updateFirmware: ({ location, retrieveAt, installAt, signingCertificate, signature, requestId, ...attempts }) => ({
    ...call(
      'UpdateFirmware',
      {
        requestId,
        firmware: {
          location,
          retrieveDateTime: retrieveAt,
          ...given('installDateTime', installAt),
          ...given('signingCertificate', signingCertificate),
          ...given('signature', signature),
        },
        ...attemptsOf(attempts),
      },
      (answer) => ({ status: answer.status, requestId }),
    ),
    issues: missingPart(signingCertificate, signature),
  }),
};

/** OCPP 2.0.1, L01: a signed firmware has both. */
function missingPart(signingCertificate: string | undefined, signature: string | undefined) {
  if ((signingCertificate === undefined) === (signature === undefined)) return [];
  const path = signature === undefined ? '/signature' : '/signingCertificate';
  return [{ path, message: 'is required with the other part of a signature' }];
}

interface Attempts {
  readonly retries?: number;
  readonly retryIntervalS?: number;
}

function attemptsOf({ retries, retryIntervalS }: Attempts) {
  return { ...given('retries', retries), ...given('retryInterval', retryIntervalS) };
}
