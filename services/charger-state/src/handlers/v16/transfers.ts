// Commands that a charger goes on with after its answer, and tells of by notifications: kept in the service's own words,
// beside what the charger then tells.
import type { CallOutcome } from '@busbar/contracts';
import { transferAction, type TransferKind, type TransferRequest } from '@busbar/domain/commands';
import { maskPayload, type V16Requests } from '@busbar/ocpp';
import type { CallPayload, Handler } from '../handler';
import { keepEvent } from '../shared/keep-event';
import { exchangeOf } from './exchange';

type Asked = Partial<Omit<TransferRequest, 'location'>> & Pick<TransferRequest, 'location'>;

/** OCPP 1.6 5.19 */
export const updateFirmwareOutcome = transfer('UpdateFirmware', 'firmware', (request) => ({
  ...{ location: request.location, retrieveAt: request.retrieveDate },
  ...attempts(request),
}));

/** OCPP 1.6 security whitepaper, 5.11 */
export const signedUpdateFirmwareOutcome = transfer('SignedUpdateFirmware', 'firmware', ({ firmware, ...request }) => ({
  ...{ location: firmware.location, retrieveAt: firmware.retrieveDateTime },
  ...{ installAt: firmware.installDateTime ?? null, isSigned: true, requestId: request.requestId },
  ...attempts(request),
}));

/** OCPP 1.6 5.9 */
export const getDiagnosticsOutcome = transfer('GetDiagnostics', 'diagnostics', (request) => ({
  ...{ location: request.location, startTime: request.startTime ?? null, stopTime: request.stopTime ?? null },
  ...attempts(request),
}));

/** OCPP 1.6 security whitepaper, 5.4 */
export const getLogOutcome = transfer('GetLog', 'log', ({ log, ...request }) => ({
  ...{ location: log.remoteLocation, logType: request.logType, requestId: request.requestId },
  ...{ startTime: log.oldestTimestamp ?? null, stopTime: log.latestTimestamp ?? null },
  ...attempts(request),
}));

function transfer<A extends keyof V16Requests>(
  action: A,
  kind: TransferKind,
  word: (request: V16Requests[A]) => Asked,
): Handler<CallOutcome> {
  return {
    apply(charger, report, context) {
      const exchange = exchangeOf(action, report);
      if (exchange === undefined) return { charger };
      const payload = {
        ...maskPayload(word(exchange.request)),
        ...answered(exchange.answer),
        commandId: report.commandId ?? null,
      };
      keepEvent(charger, { ...report, action: transferAction(kind, 'requested'), payload }, context);
      return { charger };
    },
  };
}

function answered(answer: CallPayload): Pick<TransferRequest, 'status' | 'fileName'> {
  const { status, fileName, filename = fileName } = answer;
  return {
    status: typeof status === 'string' ? status : null,
    fileName: typeof filename === 'string' ? filename : null,
  };
}

function attempts({ retries, retryInterval }: { readonly retries?: number; readonly retryInterval?: number }) {
  return { retries: retries ?? null, retryIntervalS: retryInterval ?? null };
}
