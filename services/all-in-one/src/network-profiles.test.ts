// Network profiles of a charger on a real socket, by the v2 API.
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

const PROFILE = {
  ocppCsmsUrl: 'wss://csms.example/ocpp',
  messageTimeout: 30,
  securityProfile: 3,
  ocppInterface: 'Wireless0',
  apn: { apn: 'internet', apnAuthentication: 'PAP', apnUserName: 'user', apnPassword: 'planted-1', simPin: 86_421 },
  vpn: { server: 'vpn.example', user: 'user', password: 'planted-2', key: 'planted-3', type: 'IKEv2' },
};

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

async function open(version: string) {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [version] });
  if (version === 'ocpp1.6') await charger.boot();
  else await charger.v2.boot();
  await eventually(() => world.isActive(id));
  const set = (body: object, slot: number | string = 2, headers = {}) =>
    world.v2('PUT', `/chargers/${id}/network-profiles/${String(slot)}`, body, headers);
  return { id, charger, set };
}

it.each([
  ['ocpp2.0.1', 'OCPP20'],
  ['ocpp2.1', 'OCPP21'],
])('129. sets a network profile of a charger that speaks %s, without showing its secrets', async (version, name) => {
  const { id, charger, set } = await open(version);
  charger.answer('SetNetworkProfile', () => ({ status: 'Rejected' }));
  const reply = await set(PROFILE);
  expect([reply.status, reply.json()]).toMatchObject([200, { status: 'Rejected' }]);
  const connectionData = { ...PROFILE, ocppVersion: name, ocppTransport: 'JSON' };
  const sent = charger.received.find(({ action }) => action === 'SetNetworkProfile');
  expect(sent?.payload).toEqual({ configurationSlot: 2, connectionData });
  const command = await world.v2('GET', `/commands/${String(reply.json()['commandId'])}`);
  expect(command.json()).toMatchObject({ operation: 'setNetworkProfile' });
  const log = await eventually(async () => {
    const { text } = await world.v2('GET', `/chargers/${id}/ocpp-logs?limit=100`);
    return text.includes('SetNetworkProfile') && text.includes('Rejected') && text;
  });
  for (const secret of ['planted', '86421']) {
    expect(command.text).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
});

it('129. refuses a network profile that the charger or its version cannot have', async () => {
  const { set } = await open('ocpp2.0.1');
  const identity = await set({ ...PROFILE, identity: 'ACME_1' });
  expect([identity.status, identity.json()]).toMatchObject([400, { errors: [{ path: '/identity' }] }]);
  const profile = await set({ ...PROFILE, securityProfile: 0 });
  expect([profile.status, profile.json()]).toMatchObject([400, { errors: [{ path: '/securityProfile' }] }]);
  expect((await set(PROFILE, 'first')).status).toBe(400);
  const older = await (await open('ocpp1.6')).set(PROFILE);
  expect([older.status, older.json()]).toMatchObject([409, { code: 'not_supported_by_version' }]);
});

it('167. needs chargers:write besides chargers:operate to set a network profile', async () => {
  const { set } = await open('ocpp2.0.1');
  const permissions = ['chargers:read', 'chargers:operate'];
  const { key } = (await world.v2('POST', '/api-keys', { name: 'limited', permissions })).json();
  const reply = await set(PROFILE, 1, { 'x-api-key': String(key) });
  expect([reply.status, reply.json()['code']]).toEqual([403, 'forbidden']);
});
