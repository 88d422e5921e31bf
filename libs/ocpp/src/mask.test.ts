import { maskFrame, maskPayload } from './mask';

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
      '[2,"1","GetDiagnostics",{"location":"ftp://***@host:21/a@b"}]',
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
  ])('hides what a text within a payload holds: %s', (data, shown) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const frame = JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data: text }]);
    expect(maskFrame(frame)).toBe(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'X', data: shown }]));
  });

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
