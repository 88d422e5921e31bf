import { AppError } from '@busbar/core';
import { readAuthorities, readPair, readPem, type TlsFiles } from '@busbar/http';
import type { SettingsCheck, SettingsOf } from '../settings/setting';
import type { listenSettings, tlsSettings } from '../settings/shared-settings';

export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

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
  const { tls, tlsCertFile: certFile, tlsKeyFile: keyFile, tlsClientCaFile: clientCaFile } = settings;
  if (tls === 'off') return undefined;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, clientCaFile };
  return isMade ? { ...(await makePair()), clientCaFile } : undefined;
}

/** For `readSettings`: what `tlsFrom` requires, and that each file is there and valid. */
export function tlsChecks(options: { readonly isMade: boolean }): readonly SettingsCheck<Settings>[] {
  return [
    {
      of: ['tls', 'tlsCertFile', 'tlsKeyFile', 'tlsClientCaFile', 'trustedProxies'],
      check: (settings) => checkAgreement(settings, options.isMade),
    },
    { of: ['tls', 'tlsCertFile', 'tlsKeyFile'], check: checkPair },
    // Once more alone: both files may be missing.
    { of: ['tls', 'tlsKeyFile'], check: checkKey },
    { of: ['tls', 'tlsClientCaFile'], check: checkAuthorities },
  ];
}

function checkPair({ tls, tlsCertFile: cert, tlsKeyFile: key }: Settings): void {
  if (tls === 'off' || cert === undefined || key === undefined) return;
  readPair({ path: cert, variable: 'TLS_CERT_FILE' }, { path: key, variable: 'TLS_KEY_FILE' });
}

function checkKey({ tls, tlsKeyFile: key }: Settings): void {
  if (tls === 'on' && key !== undefined) readPem({ path: key, variable: 'TLS_KEY_FILE' });
}

function checkAuthorities({ tls, tlsClientCaFile: clientCa }: Settings): void {
  if (tls === 'on' && clientCa !== undefined) readAuthorities({ path: clientCa, variable: 'TLS_CLIENT_CA_FILE' });
}

/** `isMade`: a pair is made where none is configured. */
function checkAgreement(settings: Settings, isMade: boolean): void {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsClientCaFile: clientCaFile } = settings;
  if (settings.tls === 'off') {
    const set = Object.entries({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CLIENT_CA_FILE: clientCaFile });
    const needless = set.find(([, file]) => file !== undefined)?.[0];
    if (needless !== undefined) throw invalid(`TLS is off and ${needless} is set: remove one of them.`);
    if (settings.trustedProxies.length > 0) return;
    throw invalid('TLS is off without TRUSTED_PROXIES: set that to the networks of the proxy that ends TLS.');
  }
  if (certFile !== undefined && keyFile === undefined)
    throw invalid('TLS_CERT_FILE is set without TLS_KEY_FILE: set both.');
  if (keyFile !== undefined && certFile === undefined)
    throw invalid('TLS_KEY_FILE is set without TLS_CERT_FILE: set both.');
  if (certFile !== undefined || isMade) return;
  throw invalid(
    'TLS_CERT_FILE and TLS_KEY_FILE are not set: set both, or TLS=off and TRUSTED_PROXIES where a proxy ends TLS.',
  );
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_configuration', sentence);
}
