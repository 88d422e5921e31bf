// Payloads of the standard's messages as examples for the documents of the APIs.
import type { V16Requests } from './payloads';

const statusNotification: V16Requests['StatusNotification'] = {
  connectorId: 1,
  errorCode: 'NoError',
  status: 'Available',
};

const meterValues: V16Requests['MeterValues'] = {
  connectorId: 1,
  transactionId: 1,
  meterValue: [
    {
      timestamp: '2026-01-31T12:15:00Z',
      sampledValue: [{ value: '125100', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }],
    },
  ],
};

export const EXAMPLES_16 = { statusNotification, meterValues } as const;
