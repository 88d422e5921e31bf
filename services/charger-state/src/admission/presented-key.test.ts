import type { AdmissionRequest } from '@busbar/contracts';
import { DEFAULT_COMPATIBILITY } from '@busbar/domain/chargers';
import { newCharger } from '@busbar/domain/testing';
import { presentedKey } from './presented-key';

const KEY = '00112233445566778899AABBCCDDEEFF';
const charger = newCharger({
  registered: { authentication: { securityProfile: 2, passwordHash: Buffer.from(KEY, 'hex').toString('base64') } },
});
const passwords = {
  check: (secret: Buffer, hash: string) => Promise.resolve(secret.toString('base64') === hash),
};

const ONLY_16 = { ...DEFAULT_COMPATIBILITY, ocppVersions: ['ocpp1.6'] };

type Offer = Pick<AdmissionRequest, 'ocppVersion' | 'offeredVersions'>;

const presentedBy = (offer: Offer, by = charger) => {
  const request = { chargerId: 'C', gatewayId: 'g', connectionId: 'c', secure: true, ...offer };
  return presentedKey(by, { ...request, passwordBase64: Buffer.from(KEY).toString('base64') }, passwords);
};

it('9. takes hexadecimal digits as the bytes of a key in OCPP 1.6', async () => {
  expect(await presentedBy({ ocppVersion: 'ocpp1.6' })).toMatchObject({ asHex: true });
  expect(await presentedBy({ ocppVersion: null })).toMatchObject({ asHex: true });
});

it.each(['ocpp2.0.1', 'ocpp2.1'])('106. takes hexadecimal digits as a text in %s', async (version) => {
  expect(await presentedBy({ ocppVersion: version })).toBe('wrong');
});

it('105. takes hexadecimal digits where the charger may speak OCPP 1.6 alone of what it offers', async () => {
  const narrowed = newCharger({ registered: { ...charger.registered, compatibility: ONLY_16 } });
  const offered = { ocppVersion: 'ocpp2.1', offeredVersions: ['ocpp2.1', 'ocpp1.6'] };
  expect(await presentedBy(offered, narrowed)).toMatchObject({ asHex: true });
  expect(await presentedBy(offered)).toBe('wrong');
});

it.each([
  ['ocpp2.1', 'no password', undefined, 'present'],
  ['ocpp2.0.1', 'a wrong password', 'wrong', 'present'],
  ['ocpp1.6', 'no password', undefined, 'wrong'],
])('107. lets a charger of %s with profile 3, a password and its certificate present %s', async (...row) => {
  const [ocppVersion, , password, result] = row;
  const authentication = { ...charger.registered.authentication, securityProfile: 3 } as const;
  const by = newCharger({ registered: { authentication } });
  const request = { chargerId: by.chargerId, gatewayId: 'g', connectionId: 'c', secure: true, ocppVersion };
  const passwordBase64 = password && Buffer.from(password).toString('base64');
  const certified = { ...request, certificateNames: [by.chargerId], ...(passwordBase64 && { passwordBase64 }) };
  const presented = await presentedKey(by, certified, passwords);
  expect(typeof presented === 'string' ? presented : presented.used).toBe(result);
  // Without the certificate the password decides.
  expect(await presentedKey(by, { ...certified, certificateNames: [] }, passwords)).toBe('wrong');
});
