import { variableOfKey } from './configuration-aliases';
import { parseVariableName } from './variable-name';

it.each([
  ['HeartbeatInterval', 'OCPPCommCtrlr.HeartbeatInterval'],
  ['heartbeatinterval', 'OCPPCommCtrlr.HeartbeatInterval'],
  ['ConnectionTimeOut', 'TxCtrlr.EVConnectionTimeOut'],
  ['MeterValueSampleInterval', 'SampledDataCtrlr.TxUpdatedInterval'],
  ['MeterValuesSampledData', 'SampledDataCtrlr.TxUpdatedMeasurands'],
  ['StopTxnSampledData', 'SampledDataCtrlr.TxEndedMeasurands'],
  ['ClockAlignedDataInterval', 'AlignedDataCtrlr.Interval'],
  ['MeterValuesAlignedData', 'AlignedDataCtrlr.Measurands'],
  ['WebSocketPingInterval', 'OCPPCommCtrlr.WebSocketPingInterval'],
  ['ResetRetries', 'OCPPCommCtrlr.ResetRetries'],
  ['LocalPreAuthorize', 'AuthCtrlr.LocalPreAuthorization'],
  ['LocalAuthorizeOffline', 'AuthCtrlr.LocalAuthorizeOffline'],
  ['AuthorizeRemoteTxRequests', 'AuthCtrlr.AuthorizeRemoteStart'],
  ['AllowOfflineTxForUnknownId', 'AuthCtrlr.OfflineTxForUnknownIdEnabled'],
  ['StopTransactionOnInvalidId', 'TxCtrlr.StopTxOnInvalidId'],
  ['StopTransactionOnEVSideDisconnect', 'TxCtrlr.StopTxOnEVSideDisconnect'],
  ['LocalAuthListEnabled', 'LocalAuthListCtrlr.Enabled'],
  ['AuthorizationCacheEnabled', 'AuthCacheCtrlr.Enabled'],
  ['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword'],
  ['CpoName', 'SecurityCtrlr.OrganizationName'],
])('148. understands %s as %s', (key, name) => {
  expect(variableOfKey(key)).toBe(name);
  expect(parseVariableName(name)).toBeDefined();
});

it('148. understands no other key', () => {
  expect(variableOfKey('NumberOfConnectors')).toBeUndefined();
});
