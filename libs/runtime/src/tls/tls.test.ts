import { readSettings } from '../settings/read-settings';
import { listenSettings, tlsSettings } from '../settings/shared-settings';
import { tlsChecks, tlsFrom } from './tls';

const nothing = {
  tls: 'on' as const,
  tlsCertFile: undefined,
  tlsKeyFile: undefined,
  tlsClientCaFile: undefined,
  tlsRsaKeyExchange: 'off' as const,
  trustedProxies: [],
};
const files = { tlsCertFile: ['cert.pem'], tlsKeyFile: ['key.pem'] };

it('uses configured files', async () => {
  const clientCaFile = 'ca.pem';
  expect(await tlsFrom({ ...nothing, ...files })).toEqual({
    certFile: 'cert.pem',
    keyFile: 'key.pem',
    rsaKeyExchange: false,
  });
  expect(await tlsFrom({ ...nothing, ...files, tlsClientCaFile: clientCaFile })).toMatchObject({ clientCaFile });
});

it('gives each certificate the key at its place', async () => {
  const env = { TLS_CERT_FILE: 'rsa.pem, ec.pem', TLS_KEY_FILE: 'rsa-key.pem,ec-key.pem', TLS_RSA_KEY_EXCHANGE: 'on' };
  expect(await tlsFrom({ ...nothing, ...readSettings(tlsSettings, env) })).toEqual({
    certFile: 'rsa.pem',
    keyFile: 'rsa-key.pem',
    otherPairs: [{ certFile: 'ec.pem', keyFile: 'ec-key.pem' }],
    rsaKeyExchange: true,
  });
});

it.each(['rsa.pem,', ',', 'a,b,c,d,e,f'])('refuses %j as paths of certificates', (value) => {
  expect(() => readSettings(tlsSettings, { TLS_CERT_FILE: value, TLS_KEY_FILE: 'key.pem' })).toThrow(
    /TLS_CERT_FILE must be the path of a file, or up to 5 paths, separated by commas/,
  );
});

it('uses no TLS behind a trusted proxy', async () => {
  expect(await tlsFrom({ ...nothing, tls: 'off', trustedProxies: ['10.0.0.0/8'] })).toBeUndefined();
});

it('makes a pair only where none is configured', async () => {
  const make = jest.fn(() => Promise.resolve({ certFile: 'made-cert.pem', keyFile: 'made-key.pem' }));
  expect(await tlsFrom({ ...nothing, ...files }, make)).toMatchObject({ certFile: 'cert.pem' });
  expect(make).not.toHaveBeenCalled();
  expect(await tlsFrom(nothing, make)).toMatchObject({ certFile: 'made-cert.pem' });
});

it.each([
  [nothing, 'TLS_CERT_FILE and TLS_KEY_FILE are not set'],
  [{ ...nothing, tlsCertFile: ['cert.pem'] }, 'TLS_CERT_FILE is set without TLS_KEY_FILE'],
  [{ ...nothing, tlsKeyFile: ['key.pem'] }, 'TLS_KEY_FILE is set without TLS_CERT_FILE'],
  [{ ...nothing, tls: 'off' as const }, 'TLS is off without TRUSTED_PROXIES'],
  [{ ...nothing, ...files, tls: 'off' as const }, 'TLS is off and TLS_CERT_FILE is set'],
  [{ ...nothing, tls: 'off' as const, tlsRsaKeyExchange: 'on' as const }, 'TLS is off and TLS_RSA_KEY_EXCHANGE is set'],
  [
    { ...nothing, tlsCertFile: ['rsa.pem', 'ec.pem'], tlsKeyFile: ['rsa-key.pem'] },
    'TLS_CERT_FILE names 2 files and TLS_KEY_FILE 1: name the key of each certificate, in the same order.',
  ],
])('refuses contradicting settings: %j', async (settings, sentence) => {
  await expect(tlsFrom(settings)).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(sentence) as string,
  });
});

it('reports every missing file, beside an address that is none of this machine', () => {
  const env = {
    HOST: '192.0.2.1',
    TLS_CERT_FILE: '/nowhere/cert.pem',
    TLS_KEY_FILE: '/nowhere/key.pem',
    TLS_CLIENT_CA_FILE: '/nowhere/ca.pem',
  };
  const spec = { ...listenSettings('alone'), ...tlsSettings };
  expect(() => readSettings(spec, env, tlsChecks({ isMade: false }))).toThrow(
    [
      '4 settings are wrong:',
      '- HOST must be an address or host name of this machine and is "192.0.2.1": correct it, or remove it to have 0.0.0.0.',
      ...Object.entries(env)
        .slice(1)
        .map(
          ([name, path]) => `- ${name} names ${path}, which cannot be read (ENOENT): correct the path or its rights.`,
        ),
    ].join('\n'),
  );
});
