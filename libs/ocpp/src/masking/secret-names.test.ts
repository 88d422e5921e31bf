import { createSecretNames } from './secret-names';

const { isSecret } = createSecretNames();

describe('isSecret, of names of secrets', () => {
  it.each([
    ...['AuthorizationKey', 'authorization_key', 'authorization key', 'BasicAuthPassword', 'password', 'passwd'],
    ...[
      'APN_Pwd',
      'apnPwd',
      'WifiPSK',
      'wifi_psk',
      'PSK',
      'VpnSharedKey',
      'vpn-shared-key',
      'private_key',
      'PrivateKey',
    ],
    ...['access-key', 'AWSAccessKeyId', 'AuthKey', 'OAuthKey', 'ApiKey', 'api_key', 'WpaKey', 'EncryptionKey'],
    ...[
      'SimPIN',
      'simPin',
      'SIM_PIN',
      'SIMPIN',
      'simpin',
      'pin',
      'Pin',
      'PIN',
      'pin1',
      'PinCode',
      'PINCode',
      'pincode',
    ],
    ...['pin_code', 'CPIN', 'UserPin', 'AccessPin', 'ACCESSPIN', 'Pins', 'pin-number', 'PUK and PIN', 'PINGuard'],
    ...['MqttToken', 'mqtttoken', 'MQTT_TOKEN', 'token', 'accessToken', 'refresh_token', 'ValidToken', 'IdTokenSecret'],
    ...['WifiPass', 'wifipass', 'pass', 'Pass1', 'PassCode', 'passkey', 'Passphrase', 'OCPPPASS', 'apn.pass'],
    ...['simpinvalue', 'SIM_PINGSM', 'simpina', 'pinvalue', 'sim  pin', 'shared__key', 'wifi - key', 'private..key'],
    ...['OAuthIdToken', 'oauth2_id_token', 'OidcIdToken', 'openid-id-token', 'jwtIdToken', 'bearerToken', 'LoginToken'],
    ...['clientSecret', 'SECRET', 'FtpCredential', 'credentials'],
  ])('masks %s', (name) => {
    expect(isSecret(name)).toBe(true);
  });
});

describe('isSecret, of harmless names', () => {
  it.each([
    ...['WebSocketPingInterval', 'Ping', 'PING', 'PING_INTERVAL', 'WEBSOCKETPINGINTERVAL', 'WebSocketPINGInterval'],
    ...['pinging', 'CertificatePinning', 'PINNED', 'Mapping', 'SHIPPING', 'Spin', 'FanSpin', 'spin_rate', 'Opinion'],
    ...['SimPing', 'SIM_PING_INTERVAL', 'simpinned', 'pinvalidation', 'OAuthEnabled', 'authorIdToken', 'sharedMonkey'],
    ...['idTag', 'idToken', 'IdToken', 'idTokenInfo', 'groupIdToken', 'parentIdToken', 'additionalIdToken', 'id_token'],
    ...[
      'idtoken',
      'SupportedIdTokenTypes',
      'RFIDToken',
      'rfid_token',
      'AuthorizeRemoteTxRequests',
      'LocalAuthListEnabled',
    ],
    ...[
      'StopTransactionMaxMeterValues',
      'MeterValuesSampledData',
      'HeartbeatInterval',
      'ConnectionTimeOut',
      'NumberOfConnectors',
    ],
    ...['ISO15118BypassMode', 'Compass', 'passive', 'PassiveMode', 'PassengerCount', 'PassThrough', 'pass_through'],
    ...[
      'MasterPassGroupId',
      'AuthorizationCacheEnabled',
      'AuthEnabled',
      'PublicKey',
      'KeyCount',
      'ConnectorPhaseRotation',
    ],
    ...['UnlockConnectorOnEVSideDisconnect', 'AllowOfflineTxForUnknownId', 'SupportedFeatureProfiles', 'CpoName', ''],
  ])('shows %s', (name) => {
    expect(isSecret(name)).toBe(false);
  });

  it('shows every value that is no text', () => {
    for (const name of [undefined, null, 1, { password: 1 }, ['password']]) expect(isSecret(name)).toBe(false);
  });
});

it("matches an operator's own words in any case", () => {
  const names = createSecretNames(['MeterSeed', 'apn.user', '(a+)+$']);
  for (const name of ['meterseed', 'VendorMeterSeed2', 'APN.User', '(A+)+$']) expect(names.isSecret(name)).toBe(true);
  for (const name of ['Meter', 'apn_user', 'aaaa', 'HeartbeatInterval']) expect(names.isSecret(name)).toBe(false);
  expect(names.isSecret('SimPIN')).toBe(true);
  expect(names.hasOwnWord('{"x":"apn.USER"}')).toBe(true);
  expect(createSecretNames().hasOwnWord('anything')).toBe(false);
});
