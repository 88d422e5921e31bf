import { reportStatus } from '../shared/report-status';
import type { CallHandler } from './route';
import { stateOf } from './states';

/** OCPP 1.6 4.9. */
export const statusNotification: CallHandler<'StatusNotification'> = {
  apply(charger, report, context) {
    const { payload } = report;
    const { state, unknownWord } = stateOf(payload.status);
    const reportedError = payload.errorCode === 'NoError' ? '' : payload.errorCode;
    return reportStatus(charger, report, context, {
      socketId: payload.connectorId,
      state,
      errorCode: unknownWord ?? reportedError,
      info: payload.info ?? '',
      vendorErrorCode: payload.vendorErrorCode ?? '',
      timestamp: payload.timestamp,
      content: payload,
    });
  },
};
