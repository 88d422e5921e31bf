import type { CommandRecord } from '@busbar/domain/commands';
import { codeOf, openApp, type TestApp } from '../../testing/open-app';

let world: TestApp;
beforeAll(async () => {
  world = await openApp({ maskKeys: ['meterseed'] });
  await world.post('/sites', { name: 'Yard' });
  await world.post('/chargers', { name: 'C', chargerId: 'ACME_1' });
});
afterAll(() => world.close());

let last = 0;

async function keep(over: Partial<CommandRecord> = {}): Promise<string> {
  const commandId = `01ARZ3NDEKTSV4RRFFQ69G5F${String((last += 1) + 10)}`;
  const asked = { operation: 'reset', requestedAt: new Date().toISOString(), requestedBy: 'key', requestId: 'r' };
  const open = { outcome: 'in_progress', response: null, completedAt: null } as const;
  const { clientId } = world.own.client;
  const command = { commandId, clientId, chargerId: 'ACME_1', ...asked, ...open, ...over };
  await world.platform.records.commands.begin(command, 100);
  return commandId;
}

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const read = (commandId: string) => world.call('GET', `/commands/${commandId}`);

it('shows a command that failed, found by the id in the error response', async () => {
  const failed = await world.post('/chargers/ACME_1/reset', { type: 'Soft' }, { 'x-request-id': 'my-request' });
  expect(codeOf(failed)).toBe('409 charger_offline');
  const commandId = String(failed.json()['commandId']);
  const reply = await read(commandId);
  expect(reply.json()).toEqual({
    commandId,
    chargerId: 'ACME_1',
    operation: 'reset',
    requestId: 'my-request',
    outcome: 'charger_offline',
    requestedBy: world.own.key.keyId,
    response: null,
    request: { type: 'Soft' },
    requestedAt: expect.stringMatching(/Z$/) as string,
    completedAt: expect.stringMatching(/Z$/) as string,
  });
});

it('has no commandId where no command was stored', async () => {
  expect((await world.post('/chargers/NOBODYS/reset', { type: 'Soft' })).json()).not.toHaveProperty('commandId');
  expect((await world.post('/chargers/ACME_1/reset', { type: 'Warm' })).json()).not.toHaveProperty('commandId');
});

it("shows all fields of the charger's response", async () => {
  const commandId = await keep({ outcome: 'answered', response: '{"status":"Accepted","$a.b":"c"}' });
  expect((await read(commandId)).json()).toMatchObject({ response: { status: 'Accepted', '$a.b': 'c' } });
});

it('shows a command in progress, and as unknown once nobody can wait for it', async () => {
  expect((await read(await keep({ requestedAt: secondsAgo(60) }))).json()).toMatchObject({ outcome: 'in_progress' });
  expect((await read(await keep({ requestedAt: secondsAgo(300) }))).json()).toMatchObject({ outcome: 'unknown' });
});

it("responds 404 to another client's, an unknown and an expired command", async () => {
  const others = await keep({ clientId: world.other.client.clientId });
  const old = await keep({ requestedAt: secondsAgo(90_000) });
  for (const commandId of [others, old, '01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    expect(codeOf(await read(commandId))).toBe('404 not_found');
  }
  expect(codeOf(await read('no-id'))).toBe('400 invalid_request');
});

describe('the request of a command', () => {
  const recorded = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const failed = await world.call(method, `/chargers/ACME_1/${path}`, { body });
    return read(String(failed.json()['commandId']));
  };

  it('is the input of the API', async () => {
    const reservation = { reservationId: 7, socketId: 1, rfidTag: 'PIN:1234', expiresAt: '2030-01-01T00:00:00.000Z' };
    const reply = await recorded('POST', 'reservations', reservation);
    expect(reply.json()).toMatchObject({ operation: 'reserve', request: reservation });
    expect(reply.json()).not.toHaveProperty('truncated');
  });

  it('is the local list as the caller sent it, without the verdicts and parents of the tags', async () => {
    await world.post('/tags', { idTag: 'CHILD', parentIdTag: 'PIN:9999' });
    const tags = [{ rfidTag: 'CHILD' }, { rfidTag: 'GONE', status: null }, { rfidTag: 'T', parentRfidTag: 'PIN:1234' }];
    const list = { listVersion: 1, updateType: 'Differential', tags };
    const reply = await recorded('POST', 'local-list', list);
    expect(reply.json()).toMatchObject({ operation: 'sendLocalList' });
    expect(reply.json()['request']).toEqual(list);
  });

  const location = 'https://files.example/a';
  const signed = { signingCertificate: 'PEM', signature: 'U0lH' };
  it.each([
    ['diagnostics', { location }],
    ['diagnostics', { location, logType: 'SecurityLog', retries: 1 }],
    ['firmware', { location }],
    ['firmware', { location, retrieveAt: '2030-01-01T00:00:00.000Z', signed }],
  ])('is the input of %s as the caller sent it: %j', async (path, body) => {
    const reply = await recorded('POST', path, body);
    expect(reply.json()['request']).toEqual(body);
  });

  it('masks a new AuthorizationKey', async () => {
    const change = { configName: 'AuthorizationKey', configValue: 'very secret 123456' };
    const reply = await recorded('PATCH', 'configuration', change);
    expect(reply.json()).toMatchObject({ request: { configName: 'AuthorizationKey', configValue: '***' } });
    expect(reply.text).not.toContain('very secret');
  });

  it("masks credentials in URLs and the operator's secret keys", async () => {
    const firmware = { location: 'ftp://user:very-secret@files/a.bin', retrieveAt: '2030-01-01T00:00:00.000Z' };
    expect((await recorded('POST', 'firmware', firmware)).json()).toMatchObject({
      request: { location: 'ftp://***@files/a.bin' },
    });
    const change = { configName: 'MeterSeed', configValue: 'very secret' };
    expect((await recorded('PATCH', 'configuration', change)).json()).toMatchObject({
      request: { configValue: '***' },
    });
  });

  it('is the masked payload of a raw call', async () => {
    const data = JSON.stringify({ wifiPassword: 'very secret' });
    const call = { action: 'DataTransfer', payload: { vendorId: 'X', data } };
    const reply = await recorded('POST', 'calls', call);
    const request = { vendorId: 'X', data: JSON.stringify({ wifiPassword: '***' }) };
    expect(reply.json()).toMatchObject({ operation: 'DataTransfer', request });
    const key = { action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: 'very secret 123456' } };
    expect((await recorded('POST', 'calls', key)).json()).toMatchObject({
      request: { key: 'AuthorizationKey', value: '***' },
    });
  });

  it('is truncated at 16 KiB and marked', async () => {
    const call = { action: 'DataTransfer', payload: { vendorId: 'X', data: 'é'.repeat(20_000) } };
    const { request, truncated, requestBytes } = (await recorded('POST', 'calls', call)).json();
    expect({ truncated, requestBytes }).toEqual({
      truncated: true,
      requestBytes: Buffer.byteLength(JSON.stringify(call.payload)),
    });
    expect(request).toMatch(/^{"vendorId":"X","data":"é+$/);
    expect(Buffer.byteLength(String(request))).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(String(request))).toBeGreaterThan(16_380);
  });

  it('is null for a command stored without it', async () => {
    expect((await read(await keep())).json()).toMatchObject({ request: null });
  });
});
