// Configuration keys of OCPP 1.6 that a charger of 2.x has under another name, so that one client speaks to both (rule 148).
import { variableKey } from './variable-name';

const ALIASES: Readonly<Record<string, string>> = {
  HeartbeatInterval: 'OCPPCommCtrlr.HeartbeatInterval',
  ConnectionTimeOut: 'TxCtrlr.EVConnectionTimeOut',
  MeterValueSampleInterval: 'SampledDataCtrlr.TxUpdatedInterval',
  MeterValuesSampledData: 'SampledDataCtrlr.TxUpdatedMeasurands',
  StopTxnSampledData: 'SampledDataCtrlr.TxEndedMeasurands',
  ClockAlignedDataInterval: 'AlignedDataCtrlr.Interval',
  MeterValuesAlignedData: 'AlignedDataCtrlr.Measurands',
  WebSocketPingInterval: 'OCPPCommCtrlr.WebSocketPingInterval',
  ResetRetries: 'OCPPCommCtrlr.ResetRetries',
  LocalPreAuthorize: 'AuthCtrlr.LocalPreAuthorization',
  LocalAuthorizeOffline: 'AuthCtrlr.LocalAuthorizeOffline',
  AuthorizeRemoteTxRequests: 'AuthCtrlr.AuthorizeRemoteStart',
  AllowOfflineTxForUnknownId: 'AuthCtrlr.OfflineTxForUnknownIdEnabled',
  StopTransactionOnInvalidId: 'TxCtrlr.StopTxOnInvalidId',
  StopTransactionOnEVSideDisconnect: 'TxCtrlr.StopTxOnEVSideDisconnect',
  LocalAuthListEnabled: 'LocalAuthListCtrlr.Enabled',
  AuthorizationCacheEnabled: 'AuthCacheCtrlr.Enabled',
  AuthorizationKey: 'SecurityCtrlr.BasicAuthPassword',
  CpoName: 'SecurityCtrlr.OrganizationName',
};

const BY_KEY = new Map(Object.entries(ALIASES).map(([name, variable]) => [variableKey(name), variable]));

/** The name of the variable for a configuration key of 1.6, without regard to case; undefined for another key. */
export function variableOfKey(key: string): string | undefined {
  return BY_KEY.get(variableKey(key));
}
