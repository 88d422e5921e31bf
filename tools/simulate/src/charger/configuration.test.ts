import { changeConfiguration, initialConfiguration, isOn, numberOf, readConfiguration } from './configuration';

it.each([
  ['HeartbeatInterval', '60', 'Accepted'],
  ['heartbeatinterval', '60', 'Accepted'],
  ['HeartbeatInterval', '0', 'Rejected'],
  ['HeartbeatInterval', 'often', 'Rejected'],
  ['MeterValueSampleInterval', '0', 'Accepted'],
  ['AuthorizeRemoteTxRequests', 'yes', 'Rejected'],
  ['AuthorizeRemoteTxRequests', 'FALSE', 'Accepted'],
  ['NumberOfConnectors', '4', 'Rejected'],
  ['WebSocketPingInterval', '30', 'RebootRequired'],
  ['MeterValuesSampledData', 'Voltage,Power.Active.Import', 'Accepted'],
  ['MeterValuesSampledData', 'SoC', 'Rejected'],
  ['Unheard', '1', 'NotSupported'],
])('answers a change of %s to %j with %s', (key, value, status) => {
  expect(changeConfiguration(initialConfiguration(2), key, value).status).toBe(status);
});

it('reads a changed value back, and keeps the old one after a rejected change', () => {
  const configuration = initialConfiguration(3);
  changeConfiguration(configuration, 'HeartbeatInterval', '60');
  changeConfiguration(configuration, 'HeartbeatInterval', '-1');
  changeConfiguration(configuration, 'LocalPreAuthorize', 'True');
  expect(numberOf(configuration, 'HeartbeatInterval')).toBe(60);
  expect(isOn(configuration, 'LocalPreAuthorize')).toBe(true);
  expect(readConfiguration(configuration, ['heartbeatInterval', 'Unheard', 'NumberOfConnectors'])).toEqual({
    configurationKey: [
      { key: 'HeartbeatInterval', readonly: false, value: '60' },
      { key: 'NumberOfConnectors', readonly: true, value: '3' },
    ],
    unknownKey: ['Unheard'],
  });
});

it('lists every key, without the value of the AuthorizationKey', () => {
  const configuration = initialConfiguration(2);
  changeConfiguration(configuration, 'AuthorizationKey', '00112233445566778899aabbccddeeff');
  const { configurationKey = [] } = readConfiguration(configuration, undefined);
  expect(configurationKey.length).toBeGreaterThan(25);
  expect(configurationKey.find(({ key }) => key === 'AuthorizationKey')).toEqual({
    key: 'AuthorizationKey',
    readonly: false,
  });
});
