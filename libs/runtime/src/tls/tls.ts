import { AppError } from '@busbar/core';
import { readAuthorities, readPem, readServerPairs, type PairFiles, type TlsFiles } from '@busbar/http';
import type { SettingsCheck, SettingsOf } from '../settings/setting';
import type { listenSettings, tlsSettings } from '../settings/shared-settings';

export type CertificatePair = PairFiles;

type Settings = SettingsOf<typeof tlsSettings> & Pick<SettingsOf<ReturnType<typeof listenSettings>>, 'trustedProxies'>;

/**
 * The certificate files of the public listener; undefined where a proxy ends TLS. `makePair` supplies a pair where none is
 * configured; without it the files are required. Throws `invalid_configuration`.
 */
export async function tlsFrom(
  settings: Settings,
  makePair?: () => CertificatePair | Promise<CertificatePair>,
): Promise<TlsFiles | undefined> {
  const isMade = makePair !== undefined;
  checkAgreement(settings, isMade);
  if (settings.tls === 'off') return undefined;
  const common = { clientCaFile: settings.tlsClientCaFile, rsaKeyExchange: settings.tlsRsaKeyExchange === 'on' };
  const [first, ...otherPairs] = pairsOf(settings);
  if (first !== undefined) return { ...first, ...(otherPairs.length > 0 && { otherPairs }), ...common };
  return isMade ? { ...(await makePair()), ...common } : undefined;
}

/** Each certificate with its key; empty where one lacks its key. */
function pairsOf({ tlsCertFile: certs = [], tlsKeyFile: keys = [] }: Settings): CertificatePair[] {
  if (certs.length !== keys.length) return [];
  return certs.map((certFile, index) => ({ certFile, keyFile: keys[index] ?? '' }));
}

/** For `readSettings`: what `tlsFrom` requires, and that each file is there and valid. */
export function tlsChecks(options: { readonly isMade: boolean }): readonly SettingsCheck<Settings>[] {
  return [
    {
      of: ['tls', 'tlsCertFile', 'tlsKeyFile', 'tlsClientCaFile', 'tlsRsaKeyExchange', 'trustedProxies'],
      check: (settings) => checkAgreement(settings, options.isMade),
    },
    { of: ['tls', 'tlsCertFile', 'tlsKeyFile'], check: checkPairs },
    // Once more alone: both files may be missing.
    { of: ['tls', 'tlsKeyFile'], check: checkKeys },
    { of: ['tls', 'tlsClientCaFile'], check: checkAuthorities },
  ];
}

function checkPairs(settings: Settings): void {
  if (settings.tls === 'on') readServerPairs(pairsOf(settings));
}

function checkKeys({ tls, tlsKeyFile: keys = [] }: Settings): void {
  if (tls === 'on') keys.forEach((key) => readPem({ path: key, variable: 'TLS_KEY_FILE' }));
}

function checkAuthorities({ tls, tlsClientCaFile: clientCa }: Settings): void {
  if (tls === 'on' && clientCa !== undefined) readAuthorities({ path: clientCa, variable: 'TLS_CLIENT_CA_FILE' });
}

/** `isMade`: a pair is made where none is configured. */
function checkAgreement(settings: Settings, isMade: boolean): void {
  if (settings.tls === 'off') {
    checkWithoutTls(settings);
    return;
  }
  const { tlsCertFile: certFile, tlsKeyFile: keyFile } = settings;
  if (certFile !== undefined && keyFile === undefined)
    throw invalid('TLS_CERT_FILE is set without TLS_KEY_FILE: set both.');
  if (keyFile !== undefined && certFile === undefined)
    throw invalid('TLS_KEY_FILE is set without TLS_CERT_FILE: set both.');
  checkNumbers(certFile ?? [], keyFile ?? []);
  if (certFile !== undefined || isMade) return;
  throw invalid(
    'TLS_CERT_FILE and TLS_KEY_FILE are not set: set both, or TLS=off and TRUSTED_PROXIES where a proxy ends TLS.',
  );
}

function checkWithoutTls(settings: Settings): void {
  const set = Object.entries({
    TLS_CERT_FILE: settings.tlsCertFile,
    TLS_KEY_FILE: settings.tlsKeyFile,
    TLS_CLIENT_CA_FILE: settings.tlsClientCaFile,
    TLS_RSA_KEY_EXCHANGE: settings.tlsRsaKeyExchange === 'on' ? 'on' : undefined,
  });
  const needless = set.find(([, value]) => value !== undefined)?.[0];
  if (needless !== undefined) throw invalid(`TLS is off and ${needless} is set: remove one of them.`);
  if (settings.trustedProxies.length > 0) return;
  throw invalid('TLS is off without TRUSTED_PROXIES: set that to the networks of the proxy that ends TLS.');
}

function checkNumbers(certFiles: readonly string[], keyFiles: readonly string[]): void {
  const [certs, keys] = [certFiles.length, keyFiles.length];
  if (certs === keys) return;
  throw invalid(
    `TLS_CERT_FILE names ${String(certs)} files and TLS_KEY_FILE ${String(keys)}: name the key of each certificate, in the same order.`,
  );
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_configuration', sentence);
}
