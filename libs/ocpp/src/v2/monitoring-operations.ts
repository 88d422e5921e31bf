// Monitors of variables in OCPP 2.x (N03 to N06). A report of them is in report-operations.ts.
import { given } from '../operations/calls';
import type { OperationTable } from '../operations/operation';
import { NO_VARIABLE, UNKNOWN_NAME, variableOf } from './named-variable';
import { call, status, statusInfoOf } from './operation-parts';
import { variableName } from './variable-name';

export const monitoringOperations: OperationTable = {
  setMonitors: ({ monitors }) => ({
    ...call(
      'SetVariableMonitoring',
      {
        setMonitoringData: monitors.map(
          ({ id, variable, type, value, severity, transaction, periodicEventStream }) => ({
            ...given('id', id),
            ...given('periodicEventStream', periodicEventStream),
            ...given('transaction', transaction),
            value,
            type,
            severity,
            ...(variableOf(variable) ?? NO_VARIABLE),
          }),
        ),
      },
      ({ setMonitoringResult }) => ({
        monitors: setMonitoringResult.map((result) => ({
          id: result.id ?? null,
          name: variableName(result),
          type: result.type,
          severity: result.severity,
          status: result.status,
          statusInfo: statusInfoOf(result.statusInfo),
        })),
      }),
    ),
    issues: monitors.flatMap(({ variable }, n) =>
      variableOf(variable) === undefined ? [{ path: `/monitors/${String(n)}/variable`, message: UNKNOWN_NAME }] : [],
    ),
  }),
  clearMonitors: ({ ids }) =>
    call('ClearVariableMonitoring', { id: ids }, ({ clearMonitoringResult }) => ({
      monitors: clearMonitoringResult.map((result) => ({
        id: result.id,
        status: result.status,
        statusInfo: statusInfoOf(result.statusInfo),
      })),
    })),
  setMonitoringBase: ({ base }) => status('SetMonitoringBase', { monitoringBase: base }),
  setMonitoringLevel: ({ level }) => status('SetMonitoringLevel', { severity: level }),
};

/** The path of a field in the input of `setMonitors`, by its path in the payload. */
export function monitorPath([, at = '0', field = '']: readonly string[]): string {
  return `/monitors/${at}${field === '' ? '' : `/${field === 'component' ? 'variable' : field}`}`;
}
