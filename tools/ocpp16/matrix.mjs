// The additions of docs/ocpp-1.6.md to the code's table of actions: the API call that sends it, and notes for charger
// engineers. An action without a row here fails `npm run documents`.

/** From the charger: where it is readable, and notes. */
export const FROM_CHARGER = {
  Authorize: ['', 'answers Accepted, Blocked, Expired or Invalid; never ConcurrentTx (rule 61)'],
  BootNotification: ['', 'always Accepted; requests missing configuration and statuses afterwards (rules 52, 62)'],
  DataTransfer: ['`GET …/ocpp-logs`', 'answers UnknownVendorId (rule 59)'],
  DiagnosticsStatusNotification: ['`GET …/diagnostics`', 'stored as progress of the upload'],
  FirmwareStatusNotification: ['`GET …/firmware`', 'stored as progress of the update'],
  Heartbeat: ['`lastSeen` of the charger', 'answers the current time in UTC'],
  LogStatusNotification: ['`GET …/diagnostics`', 'security extension'],
  MeterValues: ['`GET /v2/sessions/:transactionId/meter-values`', 'stored exactly as sent (rule 57)'],
  SecurityEventNotification: ['`GET …/ocpp-logs`', 'security extension'],
  SignCertificate: ['', 'signed when the service has a CA; security extension'],
  SignedFirmwareStatusNotification: ['`GET …/firmware`', 'security extension'],
  StartTransaction: ['`GET /v2/sessions`', 'always gets a transaction id, also when the tag is refused (rule 53)'],
  StatusNotification: [
    '`sockets` of the charger',
    'connector 0 is the charger itself (rule 50). Shown as: SuspendedEV `SuspendedCAR`, SuspendedEVSE `SuspendedCHARGER`, Faulted `Error`, a status of the vendor `Info`',
  ],
  StopTransaction: ['`GET /v2/sessions`', 'an unknown transaction is stored as an orphan (rule 56)'],
};

/** To the charger: the v2 call, below `/v2/chargers/:chargerId`. Every action can also be sent by `POST …/calls`. */
export const TO_CHARGER = {
  CancelReservation: ['`DELETE …/reservations/:reservationId`', ''],
  CertificateSigned: ['by the service, after SignCertificate', 'security extension'],
  ChangeAvailability: ['`POST …/availability`', 'socket 0 or none: the whole charger'],
  ChangeConfiguration: ['`PATCH …/configuration`', 'AuthorizationKey changes the stored password (rule 10)'],
  ClearCache: ['`POST …/clear-cache`', ''],
  ClearChargingProfile: ['`DELETE …/charging-profile`', ''],
  DataTransfer: ['`POST …/data-transfer`', ''],
  DeleteCertificate: ['`DELETE …/certificates/:certificateId`', 'security extension'],
  ExtendedTriggerMessage: ['`POST …/trigger-message`', 'for messages of the security extension'],
  GetCompositeSchedule: ['`POST …/composite-schedule`', ''],
  GetConfiguration: ['`GET …/configuration?refresh=true`', 'also sent after a boot (rule 52)'],
  GetDiagnostics: ['`POST …/diagnostics`', 'without `logType`'],
  GetInstalledCertificateIds: ['`GET …/certificates`', 'security extension'],
  GetLocalListVersion: ['`GET …/local-list/version`', ''],
  GetLog: ['`POST …/diagnostics`', 'with `logType`; security extension'],
  InstallCertificate: ['`POST …/certificates`', 'security extension'],
  RemoteStartTransaction: ['`POST …/start-charging`', 'the session carries its `commandId`'],
  RemoteStopTransaction: ['`POST …/stop-transaction`', ''],
  ReserveNow: ['`POST …/reservations`', ''],
  Reset: ['`POST …/reset`', ''],
  SendLocalList: ['`POST …/local-list`', ''],
  SetChargingProfile: ['`POST …/charging-profile`', ''],
  SignedUpdateFirmware: ['`POST …/firmware`', 'with `signingCertificate`; security extension'],
  TriggerMessage: ['`POST …/trigger-message`', 'also sent after a boot for missing statuses (rule 52)'],
  UnlockConnector: ['`POST …/unlock`', ''],
  UpdateFirmware: ['`POST …/firmware`', ''],
};
