import type { Json } from './foreign-charger';

const accepted = { status: 'Accepted' };
const HEARTBEAT = {
  component: { name: 'OCPPCommCtrlr' },
  variable: { name: 'HeartbeatInterval' },
  attributeType: 'Actual',
};

/** The answers of the chargers of OCPP 2.x, the same in 2.0.1 and 2.1. */
export const ANSWERS_2: Readonly<Record<string, Json>> = {
  CancelReservation: accepted,
  ChangeAvailability: { status: 'Scheduled' },
  ClearCache: accepted,
  ClearChargingProfile: accepted,
  DataTransfer: { status: 'Accepted', data: 'pong' },
  DeleteCertificate: { status: 'NotFound' },
  GetBaseReport: accepted,
  GetInstalledCertificateIds: { status: 'NotFound' },
  GetLocalListVersion: { versionNumber: 7 },
  GetLog: { status: 'Accepted', filename: 'diagnostics.zip' },
  GetTransactionStatus: { messagesInQueue: false },
  GetVariables: { getVariableResult: [{ ...HEARTBEAT, attributeStatus: 'Accepted', attributeValue: '300' }] },
  InstallCertificate: { status: 'Failed' },
  RequestStartTransaction: accepted,
  RequestStopTransaction: accepted,
  ReserveNow: { status: 'Occupied' },
  Reset: { status: 'Scheduled' },
  SendLocalList: accepted,
  SetChargingProfile: accepted,
  SetVariables: { setVariableResult: [{ ...HEARTBEAT, attributeStatus: 'RebootRequired' }] },
  TriggerMessage: accepted,
  UnlockConnector: { status: 'UnlockFailed' },
  UpdateFirmware: accepted,
};
