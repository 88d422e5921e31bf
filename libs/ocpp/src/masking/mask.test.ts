import fc from 'fast-check';
import { createMasker, maskFrame, maskPayload } from './mask';

const SECRET = 'pLanTed';
/** More by `FC_NUM_RUNS`. */
const RUNS = Number(process.env['FC_NUM_RUNS'] ?? 2_000);
const NAMES = [
  'password',
  'AuthorizationKey',
  'authorization_key',
  'BASICAUTHPASSWORD',
  'wifiPassphrase',
  'clientSecret',
  'APN_Pwd',
  'WifiPSK',
  'SimPIN',
  'MqttToken',
  'VpnSharedKey',
  'private_key',
  'ftpCredential',
  'apn-pass',
];

/** Names without a secret that contain one of those words. */
const HARMLESS = ['WebSocketPingInterval', 'idToken', 'groupIdToken', 'StopTransactionMaxMeterValues', 'BypassMode'];

/** Positions of a secret in a payload, by its name and the secret. */
const FIELDS: readonly ((name: string, secret: string) => unknown)[] = [
  (name, secret) => ({ [name]: secret }),
  (name, secret) => ({ [name]: [secret] }),
  (name, secret) => ({ [name]: [[secret]] }),
  (name, secret) => ({ [name]: { value: secret } }),
  (name, secret) => ({ [name]: { v: [1, { deeper: secret }] } }),
  (name, secret) => ({ [name]: { [secret]: 1 } }),
  (name, secret) => ({ key: name, value: secret }),
  (name, secret) => ({ key: name, value: [secret] }),
  (name, secret) => ({ Key: name, Value: secret }),
  (name, secret) => ({ VALUE: secret, KEY: name }),
  (name, secret) => ({ name, val: secret }),
  (name, secret) => ({ name, content: { text: secret } }),
  (name, secret) => ({ variable: name, data: secret }),
  (name, secret) => ({ configName: name, configValue: secret }),
  (name, secret) => ({ variable: { name }, attributeValue: secret }),
  (name, secret) => ({ Variable: { Name: name }, AttributeValue: secret }),
  (name, secret) => ({
    variable: { name },
    variableAttribute: [{ type: 'Actual', value: secret, mutability: 'WriteOnly' }],
  }),
];

/** Positions of a secret in vendor data. */
const VENDOR_FIELDS: readonly ((name: string, secret: string) => unknown)[] = [
  ...['param', 'parameter', 'option', 'setting', 'property', 'attribute', 'field', 'item', 'id', 'p', 'type'].flatMap(
    (naming) => [
      (name: string, secret: string) => ({ [naming]: name, value: secret }),
      (name: string, secret: string) => ({ val: secret, [naming]: name }),
      (name: string, secret: string) => ({ [naming]: name, data: { content: [secret] } }),
    ],
  ),
  (name, secret) => ({ param: { id: name }, value: secret }),
  (name, secret) => ({ p: name, v: secret }),
  (name, secret) => ({ p: name, v: `${name}${secret}` }),
  (name, secret) => ({ names: ['A', name], values: ['1', secret] }),
  (name, secret) => [name, secret],
  (name, secret) => ['set', name, secret],
  (name, secret) => [name, `${name}${secret}`],
  (name, secret) => [name, [secret], { v: secret }],
  (name, secret) => [
    ['A', '1'],
    [name, secret],
  ],
  (name, secret) => ({ list: [[name, secret]] }),
];

const VENDOR_TEXTS: readonly ((name: string, secret: string) => string)[] = [
  ...[' ', '  ', '\t', ';', ',', ', ', ': ', ' : ', '|', '/', '->', ' -> ', '\n', '(', '" "', '\\n'].map(
    (separator) => (name: string, secret: string) => name + separator + secret,
  ),
  (name, secret) => `set ${name} ${secret} now`,
  (name, secret) => `SSID;${name}\nhome;${secret}`,
  (name, secret) => `a=1;${name};my;${secret}`,
  (name, secret) => `${name}=old ${name} ${secret}`,
  (name, secret) => `SET ["${name}","${secret}"]`,
];

const BASE64 = 'MIIBpwdAPINxSimPIN0tokenWifiPSK1passw+secret/key';
const PEM = (kind: string, body = `${BASE64}\n${BASE64}==`) =>
  `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;

/** The ways in which a text may contain a secret. */
const TEXTS: readonly ((name: string, secret: string) => string)[] = [
  (name, secret) => `${name}=${secret}`,
  (name, secret) => `a=1&${name}=${secret}&b=2`,
  (name, secret) => `${name}: ${secret}`,
  (name, secret) => `${name} => ${secret}`,
  (name, secret) => `${name}="my ${secret} word"`,
  (name, secret) => `${name}='my, ${secret} word'`,
  (name, secret) => `${name}="my \\" ${secret} word"`,
  (name, secret) => `${name}=my ${secret} word`,
  (name, secret) => `config {"${name}": ["a", "${secret}"]}`,
  (name, secret) => `config {"${name}": {"value": "${secret}"}}`,
  (name, secret) => `config {\\"${name}\\": \\"a \\\\\\"b ${secret}\\"}`,
  (name, secret) => `{"${name}":"my ${secret}`,
  (name, secret) => `key=${name}&value=${secret}`,
  (name, secret) => `key: ${name}\nvalue: ${secret}`,
  (name, secret) => `<${name}>${secret}</${name}>`,
  (name, secret) => `<a:${name} type="x"><![CDATA[${secret}]]></a:${name}>`,
  (name, secret) => `<key>${name}</key><value>${secret}</value>`,
  (name, secret) => `<item value="${secret}" key="${name}"/>`,
];

/** URLs that contain a credential. */
const ADDRESSES: readonly ((secret: string) => string)[] = [
  (secret) => `ftp://user:${secret}@host/a`,
  (secret) => `ftp://user:pa/${secret}@host/a`,
  (secret) => `ftp://user:p@${secret}@host/a`,
  (secret) => `ftp://${secret}@host`,
  (secret) => `upload to ftp:\\/\\/user:${secret}@host now`,
  (secret) => `https://host/a?sig=${secret}`,
  (secret) => `https://host/a?se=1&sig=${secret}&sp=r`,
  (secret) => `https://host/a?X-Amz-Credential=${secret}&X-Amz-Signature=${secret}&X-Amz-Security-Token=${secret}`,
  (secret) => `https://host/a?x-goog-signature=${secret}#a`,
  (secret) => `https://host/a#access_token=${secret}`,
  (secret) => `/a?token=${secret}`,
];

describe('secrets in frames', () => {
  it('returns the same text where there is no secret', () => {
    const text = '[2,"1","StatusNotification",{"connectorId":1,"errorCode":"NoError","status":"Available"}]';
    expect(maskFrame(text)).toBe(text);
  });

  it.each([
    [
      '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"s3cret"}]',
      '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"***"}]',
    ],
    [
      '[2,"1","ChangeConfiguration",{"value":"s3cret","key":"authorizationKEY"}]',
      '[2,"1","ChangeConfiguration",{"value":"***","key":"authorizationKEY"}]',
    ],
    [
      '[3,"1",{"configurationKey":[{"key":"A","readonly":true,"value":"1"},{"key":"AuthorizationKey","readonly":false,"value":"s3cret"}]}]',
      '[3,"1",{"configurationKey":[{"key":"A","readonly":true,"value":"1"},{"key":"AuthorizationKey","readonly":false,"value":"***"}]}]',
    ],
    [
      '[2,"1","SetVariables",{"setVariableData":[{"attributeValue":"s3cret","variable":{"name":"BasicAuthPassword"}}]}]',
      '[2,"1","SetVariables",{"setVariableData":[{"attributeValue":"***","variable":{"name":"BasicAuthPassword"}}]}]',
    ],
    [
      '[2,"1","NotifyReport",{"reportData":[{"variable":{"name":"BasicAuthPassword"},"variableAttribute":[{"type":"Actual","value":"s3cret"}]}]}]',
      '[2,"1","NotifyReport",{"reportData":[{"variable":{"name":"BasicAuthPassword"},"variableAttribute":[{"type":"Actual","value":"***"}]}]}]',
    ],
    ['[2,"1","X",{"basicAuthPassword":"s3cret"}]', '[2,"1","X",{"basicAuthPassword":"***"}]'],
    [
      '[2,"1","ChangeConfiguration",{"key":"\\u0041uthorizationKey","value":"s3cret"}]',
      '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"***"}]',
    ],
    [
      '[2,"1","X",{"key":"AuthorizationKey","value":{"a":"s3cret"}}]',
      '[2,"1","X",{"key":"AuthorizationKey","value":"***"}]',
    ],
    [
      '[2,"1","GetDiagnostics",{"location":"ftp://user:s3cret@host:21/a@b"}]',
      '[2,"1","GetDiagnostics",{"location":"ftp://***@b"}]',
    ],
    [
      '[2,"1","UpdateFirmware",{"location":"ftp:\\/\\/user:s3cret@host"}]',
      '[2,"1","UpdateFirmware",{"location":"ftp://***@host"}]',
    ],
  ])('hides the value in %s', (text, masked) => {
    expect(maskFrame(text)).toBe(masked);
  });

  it.each([
    [
      '[2,"1","NotifyCustomerInformation",{"data":"Jane Doe","seqNo":0,"requestId":7}]',
      '"data":"***","seqNo":0,"requestId":7',
    ],
    ['[2,"1","notifycustomerinformation",{"Data":["Jane Doe"]}]', '{"Data":"***"}'],
    ['[2,"1","\\u004eotifyCustomerInformation",{"data":"Jane Doe"}]', '{"data":"***"}'],
    ['[2,"1","NotifyCustomerInformation","Jane Doe"]', '"***"'],
    ['[2,"1","NotifyCustomerInformation",{"data":"Jane Doe', 'characters that cannot be read'],
    ['[2,"1","CustomerInformation",{"requestId":7,"customerIdentifier":"Jane Doe"}]', '"customerIdentifier":"***"'],
  ])('151. hides the data of a customer in %s', (text, masked) => {
    expect(maskFrame(text)).toContain(masked);
    expect(maskFrame(text)).not.toContain('Jane');
  });

  it('151. keeps the data of a customer in a payload alone, for the report', () => {
    expect(maskPayload({ data: 'Jane Doe', requestId: 7 })).toEqual({ data: 'Jane Doe', requestId: 7 });
  });

  it.each([
    ['[2,"1","GetConfiguration",{"key":["AuthorizationKey"]}]'],
    ['[2,"1","GetDiagnostics",{"location":"https://host/a?b=c@d"}]'],
    ['[2,"1","ChangeConfiguration",{"key":"\\u0048eartbeatInterval","value":"5"}]'],
    ['[2,"1","SecurityEventNotification",{"type":"InvalidPassword","timestamp":"2026-01-01T00:00:00Z"}]'],
  ])('leaves %s as it is', (text) => {
    expect(maskFrame(text)).toBe(text);
  });

  it.each([
    [{ user: 'a', password: 's3cret' }, '{"user":"a","password":"***"}'],
    [[{ key: 'AuthorizationKey', value: 's3cret' }], '[{"key":"AuthorizationKey","value":"***"}]'],
    ['wifi=home&password=s3cret&x=1', 'wifi=home&password=***&x=1'],
    ['AuthorizationKey: s3cret', 'AuthorizationKey: ***'],
    ['{"password":"s3cret', '{"password":***'],
    ['key=AuthorizationKey&value=s3cret', 'key=AuthorizationKey&value=***'],
    ['password="my s3cret word" x=1', 'password=*** x=1'],
    ['password=my s3cret word user=a', 'password=*** user=a'],
    ['https://h/log?name=a&X-Amz-Signature=s3cret', 'https://h/log?name=a&X-Amz-Signature=***'],
    ['ftp://u:p/s3cret@h/logs', 'ftp://***@h/logs'],
    ['<a><password>s3cret</password></a>', '***'],
  ])('masks secrets in a text within a payload: %s', (data, shown) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const frame = JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data: text }]);
    expect(maskFrame(frame)).toBe(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data: shown }]));
  });

  it.each(FIELDS.flatMap((field) => NAMES.map((name) => [field(name, SECRET)])))(
    'never shows what stands in %j',
    (payload) => {
      const text = JSON.stringify(payload);
      for (const data of [
        payload,
        [payload],
        { inner: { list: [payload] } },
        text,
        [` ${text}`],
        JSON.stringify(text),
      ]) {
        expect(shown(data)).not.toContain(SECRET);
      }
    },
  );

  it.each(TEXTS.flatMap((text) => NAMES.map((name) => [text(name, SECRET)])))(
    'never shows what stands in %s',
    (text) => {
      for (const data of [text, [text], { inner: text }, `before ${text}\nafter`, JSON.stringify({ inner: text })]) {
        expect(shown(data)).not.toContain(SECRET);
      }
    },
  );

  it.each(ADDRESSES.map((address) => [address(SECRET)]))('masks the credentials in %s', (address) => {
    for (const data of [address, { location: address }, `see ${address}\nand more`, JSON.stringify([address])]) {
      expect(shown(data)).not.toContain(SECRET);
    }
  });

  it('masks a secret in any surroundings', () => {
    const place = fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom(...TEXTS));
    const around = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }));
    const affix = fc.constantFrom('', 'Vendor_', 'x.', 'Backup-', '2', '_1');
    fc.assert(
      fc.property(place, fc.constantFrom(...NAMES), affix, around, (stand, name, before, other) => {
        const held = stand(`${before}${name}`, SECRET);
        for (const data of [{ ...other, held }, [other, held], JSON.stringify({ held, other })]) {
          expect(shown(data)).not.toContain(SECRET);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("masks a secret in any vendor's shape, and is idempotent", () => {
    const place = fc.oneof(fc.constantFrom(...VENDOR_FIELDS), fc.constantFrom(...VENDOR_TEXTS));
    const around = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 });
    fc.assert(
      fc.property(place, fc.constantFrom(...NAMES), around, (stand, name, other) => {
        const held = stand(name, SECRET);
        for (const data of [{ other, held }, [...other, held], JSON.stringify({ held, other })]) {
          const masked = maskPayload({ vendorId: 'X', data });
          expect(JSON.stringify(masked)).not.toContain(SECRET);
          expect(maskPayload(masked)).toEqual(masked);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each(VENDOR_FIELDS.flatMap((field) => NAMES.map((name) => [field(name, SECRET)])))(
    'never shows what a DataTransfer holds in %j',
    (payload) => {
      for (const data of [payload, { list: [payload] }, JSON.stringify(payload), JSON.stringify([payload])]) {
        expect(shown(data)).not.toContain(SECRET);
      }
      expect(shownOf({ vendorId: 'X', messageId: 'M', more: payload })).not.toContain(SECRET);
    },
  );

  it.each(VENDOR_TEXTS.flatMap((text) => NAMES.map((name) => [text(name, SECRET)])))(
    'never shows what a DataTransfer holds in the text %j',
    (text) => {
      for (const data of [text, { inner: text }, [text], JSON.stringify(text), `before ${text}`]) {
        expect(shown(data)).not.toContain(SECRET);
      }
    },
  );

  it.each(
    NAMES.flatMap((name) => [name, `Set${name}`, `${name}.set`]).flatMap((messageId) =>
      [SECRET, { a: SECRET }, [SECRET], `a ${SECRET}`].map((data) => [{ vendorId: 'X', messageId, data }]),
    ),
  )('masks the data of a message that is named after a secret: %j', (payload) => {
    expect(shownOf(payload)).not.toContain(SECRET);
    expect(maskPayload(payload)).toEqual({ ...payload, data: '***' });
  });

  it.each([
    ['APN_Pwd x', 'APN_Pwd ***'],
    ['APN_Pwd;x', 'APN_Pwd;***'],
    ['APN_Pwd,x', 'APN_Pwd,***'],
    ['APN_Pwd: x', 'APN_Pwd: ***'],
    ['a=1;APN_Pwd=x;b=2', 'a=1;APN_Pwd=***;b=2'],
    [
      { param: 'WifiPSK', value: 'x' },
      { param: 'WifiPSK', value: '***' },
    ],
    [
      { p: 'WifiPSK', idTag: 'ABC', v: 1, on: true },
      { p: 'WifiPSK', idTag: 'ABC', v: '***', on: true },
    ],
    [
      ['WifiPSK', 'x'],
      ['WifiPSK', '***'],
    ],
    [
      [
        ['SSID', 'home'],
        ['APN_Pwd', 'x'],
      ],
      [
        ['SSID', 'home'],
        ['APN_Pwd', '***'],
      ],
    ],
  ])('leaves the rest of a DataTransfer with a secret readable: %j', (data, visible) => {
    expect(maskPayload({ vendorId: 'X', data })).toEqual({ vendorId: 'X', data: visible });
  });

  it.each([
    ...['APN_Pwd', ' SimPin ', 'changed: SimPIN', 'RFID idToken ABC', 'my opinion is x', BASE64.slice(0, 4)],
    ...[['WebSocketPingInterval', 'x'], { param: 'HeartbeatInterval', value: '5' }, { idTag: 'PIN 1', meter: 5 }],
    { vendor: ['SimPin'] },
  ])('leaves a DataTransfer without a secret readable: %j', (data) => {
    const payload = { vendorId: 'com.Pin', messageId: 'Settings', data };
    expect(maskPayload(payload)).toBe(payload);
  });

  it.each([
    ['StatusNotification', { connectorId: 1, errorCode: 'NoError', vendorId: 'Pin', info: 'SimPin missing, no token' }],
    ['StatusNotification', { connectorId: 1, errorCode: 'OtherError', vendorErrorCode: 'BadPassword', vendorId: 'X' }],
    ['GetConfiguration', { key: ['AuthorizationKey', 'HeartbeatInterval'] }],
    ['SecurityEventNotification', { type: 'InvalidPassword', techInfo: 'password of WifiPSK refused' }],
    ['MeterValues', { meterValue: [{ sampledValue: [{ value: `${BASE64}=a PIN=1`, format: 'SignedData' }] }] }],
    ['StopTransaction', { idTag: 'token=x', transactionData: [{ sampledValue: [{ value: 'OCMF|{"PIN":1}' }] }] }],
    ['SignedUpdateFirmware', { firmware: { signature: `${BASE64.replaceAll(/[+/]/g, '')}==` } }],
    ...['CERTIFICATE', 'CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST', 'X509 CRL', 'PUBLIC KEY'].flatMap(
      (kind): [string, unknown][] => [
        ['SignCertificate', { csr: PEM(kind) }],
        ['CertificateSigned', { certificateChain: PEM(kind) + PEM('CERTIFICATE') }],
        ['DataTransfer', { vendorId: 'X', data: PEM(kind).replaceAll('\n', '\r\n') }],
        ['DataTransfer', { vendorId: 'X', data: JSON.stringify({ csr: PEM(kind) }) }],
        ['DataTransfer', { vendorId: 'X', data: PEM(kind).replaceAll('\n', '\\n') }],
        ['InstallCertificate', { certificate: PEM(kind).slice(0, -20) }],
      ],
    ),
  ])("leaves the standard's fields unchanged: %s %j", (action, payload) => {
    const text = JSON.stringify([2, '1', action, payload]);
    expect(maskFrame(text)).toBe(text);
    expect(maskPayload(payload)).toBe(payload);
  });

  it('masks the key of a VPN in a network profile, and no other field of that name', () => {
    const profile = (key: string) => ({ connectionData: { vpn: { server: 'vpn.example', user: 'u', key } } });
    const frame = (key: string) => JSON.stringify([2, '1', 'SetNetworkProfile', profile(key)]);
    expect(maskFrame(frame('abc'))).toBe(frame('***'));
    expect(maskPayload(profile('abc'))).toEqual(profile('***'));
    const other = { connectionData: { key: 'abc' }, vpn: { server: { key: 'abc' } } };
    expect(maskPayload(other)).toBe(other);
  });

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'EC PRIVATE KEY'])('hides a %s', (kind) => {
    const key = PEM(kind, `${SECRET}a`);
    for (const data of [key, PEM('CERTIFICATE') + key, `before\n${key}`, { pem: key }, [key], JSON.stringify([key])]) {
      expect(shown(data)).not.toContain(SECRET);
    }
    expect(maskPayload({ certificate: PEM('CERTIFICATE') + key })).toEqual({ certificate: '***' });
  });

  it('masks text behind a certificate', () => {
    const data = `${PEM('CERTIFICATE')}password=${SECRET}`;
    expect(shown(data)).not.toContain(SECRET);
  });

  it.each(HARMLESS.flatMap((name) => FIELDS.map((field) => [JSON.stringify(field(name, 'visible'))])))(
    'shows what stands in %s',
    (text) => {
      const payload: unknown = JSON.parse(text);
      expect(maskPayload(payload)).toBe(payload);
      expect(maskPayload({ data: text })).toEqual({ data: text });
    },
  );

  it("leaves a driver's tag readable in the messages of every version", () => {
    const frames = [
      '[2,"1","Authorize",{"idTag":"ABC"}]',
      '[2,"1","StartTransaction",{"connectorId":1,"idTag":"PIN 1","meterStart":0,"timestamp":"2026-01-01T00:00:00Z"}]',
      '[2,"1","Authorize",{"idTag":"PIN:1234"}]',
      '[3,"1",{"idTagInfo":{"status":"Accepted","parentIdTag":"token=x"}}]',
      '[2,"1","Authorize",{"idToken":{"idToken":"ABC","type":"ISO14443"}}]',
      '[3,"1",{"idTokenInfo":{"status":"Accepted","groupIdToken":{"idToken":"ABC","type":"Central"}}}]',
    ];
    for (const frame of frames) expect(maskFrame(frame)).toBe(frame);
  });

  it("masks what an operator's own words name, except booleans", () => {
    const masker = createMasker(['MeterSeed']);
    const frame = '[2,"1","ChangeConfiguration",{"key":"meterseed","value":"pLanTed"}]';
    expect(maskFrame(frame)).toBe(frame);
    expect(masker.frame(frame)).toBe(frame.replace(SECRET, '***'));
    expect(masker.payload({ data: `VendorMeterSeed=${SECRET}` })).toEqual({ data: 'VendorMeterSeed=***' });
    expect(masker.payload({ passwordRequired: true })).toEqual({ passwordRequired: true });
  });

  it('tests a usual frame with one expression and does not parse it', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const test = jest.spyOn(RegExp.prototype, 'test');
    maskFrame(
      '[2,"1","MeterValues",{"connectorId":1,"meterValue":[{"timestamp":"2026-01-01T00:00:00Z","sampledValue":[]}]}]',
    );
    const [reads, tests] = [parse.mock.calls.length, test.mock.calls.length];
    jest.restoreAllMocks();
    expect({ reads, tests }).toEqual({ reads: 0, tests: 1 });
  });

  it.each(['://', '://a@', 'password=', 'password ', '?key', ' a', ' ', '\\"', 'password="', '[=', '<', 'a:b@'])(
    '40. takes linear time for a repeated %j',
    (piece) => {
      const text = `${piece.repeat(250_000 / piece.length)}password=`;
      expect(() => maskPayload({ data: text })).not.toThrow();
    },
  );

  it.each([
    ['objects', (items: readonly unknown[]): unknown => items],
    ['objects in a text', (items: readonly unknown[]): unknown => JSON.stringify(items)],
  ])('40. masks at most 1,000 %s of vendor data one by one, and the others whole', (_title, inData) => {
    const objects = Array.from({ length: 8_000 }, (_, n) => ({
      p: n === 5_000 ? 'SimPIN' : 'Mode',
      v: `value ${String(n)}`,
    }));
    const frame = JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data: inData(objects) }]);
    const test = jest.spyOn(RegExp.prototype, 'test');
    const masked = maskFrame(frame);
    const tests = test.mock.calls.length;
    jest.restoreAllMocks();
    expect(tests).toBeLessThan(50_000);
    expect(['value 900', 'value 1000', 'value 5000'].map((text) => masked.includes(text))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('masks an unreadable text that may hold a secret', () => {
    const masked = maskFrame('[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"s3cret"');
    expect(masked).not.toContain('s3cret');
  });

  it('40. masks everything beyond its depth', () => {
    const deep = `[2,"1","password",${'{"a":'.repeat(20_000)}"s3cret"${'}'.repeat(20_000)}]`;
    expect(maskFrame(deep)).not.toContain('s3cret');
    expect(() => maskPayload(JSON.parse(deep) as unknown)).not.toThrow();
  });

  it('masks a copy of a payload and does not change the original', () => {
    const payload = { key: 'AuthorizationKey', value: 's3cret' };
    expect(maskPayload(payload)).toEqual({ key: 'AuthorizationKey', value: '***' });
    expect(payload.value).toBe('s3cret');
    const plain = { key: 'HeartbeatInterval', value: '5' };
    expect(maskPayload(plain)).toBe(plain);
  });
});

/** The masked text and payload of a frame that holds this. */
function shown(data: unknown): string {
  return shownOf({ vendorId: 'X', data }) + JSON.stringify(maskPayload({ data }));
}

function shownOf(payload: unknown): string {
  return maskFrame(JSON.stringify([2, '1', 'DataTransfer', payload])) + JSON.stringify(maskPayload(payload));
}
