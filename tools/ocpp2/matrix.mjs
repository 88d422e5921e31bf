// The additions of docs/ocpp-2.md to the code's tables of actions: what of a charger's message is readable, beside the log. An action
// that is not here is in the log alone.
export const FROM_CHARGER = {
  Authorize: 'verdict on the tag (rules 155, 156)',
  BootNotification: 'manufacturer, model, serial, firmware, ICCID and IMSI; always Accepted',
  DataTransfer: 'event; answers UnknownVendorId',
  Get15118EVCertificate: 'event; answers Failed',
  GetCertificateChainStatus: 'event; each entry is Failed',
  GetCertificateStatus: 'event; answers Failed',
  Heartbeat: '`lastSeen` of the charger',
  NotifyEVChargingNeeds: 'event; answers Rejected, in 2.1 NoChargingProfile',
  OpenPeriodicEventStream: 'event; answers Rejected: streams are not built',
  PullDynamicScheduleUpdate: 'event; answers Rejected',
  SecurityEventNotification: 'event',
  SignCertificate: 'event; the certificate, by `charger certificates` of administration',
  MeterValues: 'meter values of the session in progress at the EVSE (rule 146)',
  NotifyReport: 'values in the configuration (rule 147)',
  FirmwareStatusNotification: 'progress, event',
  LogStatusNotification: 'progress, event',
  ReservationStatusUpdate: 'end of the reservation, event',
  TransactionEvent: 'session, state of the socket, meter values, verdict on its token (rules 136 to 146)',
  VatNumberValidation: 'event; answers Rejected',
};
