import fc from 'fast-check';
import { createMasker, maskFrame, maskPayload } from './mask';

const SECRET = 'pLanTed';
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

/** Harmless ones that have a word of those in them. */
const HARMLESS = ['WebSocketPingInterval', 'idToken', 'groupIdToken', 'StopTransactionMaxMeterValues', 'BypassMode'];

/** Where a secret may stand in a payload: each of a name and the secret. */
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

/** How a text may hold one. */
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

/** Addresses that let in whoever has them. */
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
  it('gives the very same text when there is nothing to hide', () => {
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
  ])('hides what a text within a payload holds: %s', (data, shown) => {
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

  it.each(ADDRESSES.map((address) => [address(SECRET)]))('never shows who is let in by %s', (address) => {
    for (const data of [address, { location: address }, `see ${address}\nand more`, JSON.stringify([address])]) {
      expect(shown(data)).not.toContain(SECRET);
    }
  });

  it('never shows a secret, whatever stands around it', () => {
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
      { numRuns: 2_000 },
    );
  });

  it.each(HARMLESS.flatMap((name) => FIELDS.map((field) => [JSON.stringify(field(name, 'visible'))])))(
    'shows what stands in %s',
    (text) => {
      const payload: unknown = JSON.parse(text);
      expect(maskPayload(payload)).toBe(payload);
      expect(maskPayload({ data: text })).toEqual({ data: text });
    },
  );

  it("shows a driver's tag, in the messages of every version", () => {
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

  it("hides what an operator's own words name, and shows that a yes or no is one", () => {
    const masker = createMasker(['MeterSeed']);
    const frame = '[2,"1","ChangeConfiguration",{"key":"meterseed","value":"pLanTed"}]';
    expect(maskFrame(frame)).toBe(frame);
    expect(masker.frame(frame)).toBe(frame.replace(SECRET, '***'));
    expect(masker.payload({ data: `VendorMeterSeed=${SECRET}` })).toEqual({ data: 'VendorMeterSeed=***' });
    expect(masker.payload({ passwordRequired: true })).toEqual({ passwordRequired: true });
  });

  it('looks at a usual frame with one expression and reads it with nothing', () => {
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
    '40. takes time by the length of a text alone: %j again and again',
    (piece) => {
      const text = `${piece.repeat(250_000 / piece.length)}password=`;
      expect(() => maskPayload({ data: text })).not.toThrow();
    },
  );

  it('shows nothing of an unreadable text that may hold a secret', () => {
    const masked = maskFrame('[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"s3cret"');
    expect(masked).not.toContain('s3cret');
  });

  it('40. stops at a depth, showing nothing beyond it', () => {
    const deep = `[2,"1","password",${'{"a":'.repeat(20_000)}"s3cret"${'}'.repeat(20_000)}]`;
    expect(maskFrame(deep)).not.toContain('s3cret');
    expect(() => maskPayload(JSON.parse(deep) as unknown)).not.toThrow();
  });

  it('hides the value in a payload that is kept apart, and leaves the payload itself alone', () => {
    const payload = { key: 'AuthorizationKey', value: 's3cret' };
    expect(maskPayload(payload)).toEqual({ key: 'AuthorizationKey', value: '***' });
    expect(payload.value).toBe('s3cret');
    const plain = { key: 'HeartbeatInterval', value: '5' };
    expect(maskPayload(plain)).toBe(plain);
  });
});

/** What is kept of a frame that holds this, in its text and in its payload. */
function shown(data: unknown): string {
  return (
    maskFrame(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data }])) + JSON.stringify(maskPayload({ data }))
  );
}
