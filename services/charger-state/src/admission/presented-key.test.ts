import { newCharger } from '@busbar/domain/testing';
import { presentedKey } from './presented-key';

const KEY = '00112233445566778899AABBCCDDEEFF';
const charger = newCharger({
  registered: { authentication: { securityProfile: 2, passwordHash: Buffer.from(KEY, 'hex').toString('base64') } },
});
const passwords = {
  check: (secret: Buffer, hash: string) => Promise.resolve(secret.toString('base64') === hash),
};

const presentedBy = (ocppVersion: string | null) => {
  const request = { chargerId: 'C', gatewayId: 'g', connectionId: 'c', secure: true, ocppVersion };
  return presentedKey(charger, { ...request, passwordBase64: Buffer.from(KEY).toString('base64') }, passwords);
};

it('9. takes hexadecimal digits as the bytes of a key in OCPP 1.6', async () => {
  expect(await presentedBy('ocpp1.6')).toMatchObject({ asHex: true });
  expect(await presentedBy(null)).toMatchObject({ asHex: true });
});

it.each(['ocpp2.0.1', 'ocpp2.1'])('106. takes hexadecimal digits as a text in %s', async (version) => {
  expect(await presentedBy(version)).toBe('wrong');
});
