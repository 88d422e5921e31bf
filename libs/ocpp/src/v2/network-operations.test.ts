import { encodeOperation } from '../operations/encode';
import type { NetworkProfile } from '../operations/network-profile';

const PROFILE: NetworkProfile = {
  ocppCsmsUrl: 'wss://csms.example/ocpp',
  messageTimeout: 30,
  securityProfile: 2,
  ocppInterface: 'Wired0',
  apn: { apn: 'internet', apnAuthentication: 'NONE', simPin: 1234 },
  vpn: { server: 'vpn.example', user: 'u', password: 'p', key: 'k', type: 'IKEv2' },
};
const encode = (version: string, fields: Partial<NetworkProfile> = {}, slot = 1) =>
  encodeOperation('setNetworkProfile', { ...PROFILE, ...fields, slot })(version);

it.each([
  ['ocpp2.0.1', 'OCPP20'],
  ['ocpp2.1', 'OCPP21'],
])('129. sets a network profile of %s with its version: %s', (version, ocppVersion) => {
  const call = encode(version);
  const connectionData = { ...PROFILE, ocppVersion, ocppTransport: 'JSON' };
  expect(call).toMatchObject({ action: 'SetNetworkProfile', payload: { configurationSlot: 1, connectionData } });
  expect(call?.read({ status: 'Failed' })).toEqual({ status: 'Failed' });
});

it('129. has no network profiles in OCPP 1.6', () => {
  expect(encode('ocpp1.6')).toBeUndefined();
});

it.each<[string, Partial<NetworkProfile>, string]>([
  ['an identity', { identity: 'ACME_1' }, '/identity is not a field of this message'],
  ['a password', { basicAuthPassword: 'x'.repeat(16) }, '/basicAuthPassword is not a field of this message'],
  ['any interface', { ocppInterface: 'Any' }, '/ocppInterface must be one of'],
  ['a long address', { ocppCsmsUrl: 'x'.repeat(513) }, '/ocppCsmsUrl must have at most 512 characters'],
  [
    'a long access point',
    { apn: { apn: 'x'.repeat(513), apnAuthentication: 'NONE' } },
    '/apn/apn must have at most 512 characters',
  ],
])('129. has a network profile with %s in 2.1, and refuses it in 2.0.1', (_what, fields, message) => {
  expect(encode('ocpp2.1', fields)).toBeDefined();
  expect(() => encode('ocpp2.0.1', fields)).toThrow(message);
});

it('129. refuses a slot that is no integer at /slot', () => {
  expect(() => encode('ocpp2.1', {}, 1.5)).toThrow('/slot must be integer');
});
