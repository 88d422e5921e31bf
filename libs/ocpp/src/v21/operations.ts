// Operations that OCPP 2.1 adds to those of 2.0.1.
import { given } from '../operations/calls';
import type { OperationTable } from '../operations/operation';
import { call, status } from '../v2/operation-parts';

export const operations21: OperationTable = {
  usePriorityCharging: ({ activate }, { deviceTransactionId: transactionId }) =>
    transactionId === undefined ? undefined : status('UsePriorityCharging', { transactionId, activate }),
  updateDynamicSchedule: ({ chargingProfileId, ...scheduleUpdate }) =>
    status('UpdateDynamicSchedule', { chargingProfileId, scheduleUpdate }),
  listEventStreams: () =>
    call('GetPeriodicEventStream', {}, ({ constantStreamData = [] }) => ({
      status: 'Accepted',
      streams: constantStreamData.map(({ id, variableMonitoringId: monitorId, params }) => ({
        id,
        monitorId,
        ...given('interval', params.interval),
        ...given('values', params.values),
      })),
    })),
  adjustEventStream: ({ id, interval, values }) =>
    status('AdjustPeriodicEventStream', {
      id,
      params: { ...given('interval', interval), ...given('values', values) },
    }),
};
