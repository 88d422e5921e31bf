import type { Json } from './foreign-charger';

const accepted = { status: 'Accepted' };

/**
 * The answers of the chargers of these tests: each CALL of OCPP 1.6 that a central system can send, all fields where
 * there is a choice.
 */
export const ANSWERS: Readonly<Record<string, Json>> = {
  CancelReservation: accepted,
  ChangeAvailability: { status: 'Scheduled' },
  ChangeConfiguration: { status: 'RebootRequired' },
  ClearCache: accepted,
  ClearChargingProfile: accepted,
  DataTransfer: { status: 'Accepted', data: 'pong' },
  GetCompositeSchedule: {
    status: 'Accepted',
    connectorId: 1,
    scheduleStart: '2026-01-02T03:04:05Z',
    chargingSchedule: {
      duration: 3600,
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1, numberPhases: 3 }],
    },
  },
  GetConfiguration: {
    configurationKey: [
      { key: 'HeartbeatInterval', readonly: false, value: '300' },
      { key: 'NumberOfConnectors', readonly: true, value: '2' },
    ],
    unknownKey: [],
  },
  GetDiagnostics: { fileName: 'diagnostics.zip' },
  GetLocalListVersion: { listVersion: 7 },
  RemoteStartTransaction: accepted,
  RemoteStopTransaction: accepted,
  ReserveNow: { status: 'Occupied' },
  Reset: accepted,
  SendLocalList: accepted,
  SetChargingProfile: accepted,
  TriggerMessage: accepted,
  UnlockConnector: { status: 'UnlockFailed' },
  UpdateFirmware: {},
  // The security extension.
  CertificateSigned: accepted,
  DeleteCertificate: { status: 'NotFound' },
  ExtendedTriggerMessage: accepted,
  GetInstalledCertificateIds: {
    status: 'Accepted',
    certificateHashData: [{ hashAlgorithm: 'SHA256', issuerNameHash: 'a1', issuerKeyHash: 'b2', serialNumber: 'c3' }],
  },
  GetLog: { status: 'AcceptedCanceled', filename: 'security.log' },
  InstallCertificate: { status: 'Failed' },
  SignedUpdateFirmware: { status: 'AcceptedCanceled' },
};
