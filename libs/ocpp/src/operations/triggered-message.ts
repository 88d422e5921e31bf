// The messages that a charger can be asked to send, by the names of the API.

/** Those that OCPP 1.6 has, with the names of 1.6. */
const TRIGGERED_BY_ALL = [
  'BootNotification',
  'DiagnosticsStatusNotification',
  'FirmwareStatusNotification',
  'Heartbeat',
  'LogStatusNotification',
  'MeterValues',
  'SignChargePointCertificate',
  'StatusNotification',
] as const;

/** Those of OCPP 2.x alone; the last two of 2.1. */
const TRIGGERED_BY_V2 = [
  'TransactionEvent',
  'SignV2GCertificate',
  'SignCombinedCertificate',
  'PublishFirmwareStatusNotification',
  'SignV2G20Certificate',
  'CustomTrigger',
] as const;

export const TRIGGERED_MESSAGES = [...TRIGGERED_BY_ALL, ...TRIGGERED_BY_V2] as const;

export type TriggeredMessage = (typeof TRIGGERED_MESSAGES)[number];
