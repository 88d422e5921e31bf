// The authorities that the settings name, by the type of certificate that each signs.
import { AppError, type Clock } from '@busbar/core';
import type { SettingsCheck } from '@busbar/runtime';
import { createAuthority, type Authority } from './authority';
import { PROFILES, type CertificateType } from './profiles';

/** A type without an authority is not signed. */
export type Authorities = Readonly<Partial<Record<CertificateType, Authority>>>;

export interface AuthoritySettings {
  readonly chargerCaCertFile?: string | undefined;
  readonly chargerCaKeyFile?: string | undefined;
  readonly v2gCaCertFile?: string | undefined;
  readonly v2gCaKeyFile?: string | undefined;
  readonly v2g20CaCertFile?: string | undefined;
  readonly v2g20CaKeyFile?: string | undefined;
  readonly v2gOcspUrl?: string | undefined;
}

interface Pair {
  readonly certFile: keyof AuthoritySettings;
  readonly keyFile: keyof AuthoritySettings;
}

const PAIRS: Readonly<Record<CertificateType, Pair>> = {
  ChargingStationCertificate: { certFile: 'chargerCaCertFile', keyFile: 'chargerCaKeyFile' },
  V2GCertificate: { certFile: 'v2gCaCertFile', keyFile: 'v2gCaKeyFile' },
  V2G20Certificate: { certFile: 'v2g20CaCertFile', keyFile: 'v2g20CaKeyFile' },
};

/** For `readSettings`: certificate and key belong together. */
export const authorityChecks: readonly SettingsCheck<Required<AuthoritySettings>>[] = Object.values(PROFILES).map(
  ({ type, variables }) => ({
    of: [PAIRS[type].certFile, PAIRS[type].keyFile],
    check(settings) {
      const { [PAIRS[type].certFile]: certFile, [PAIRS[type].keyFile]: keyFile } = settings;
      if ((certFile === undefined) === (keyFile === undefined)) return;
      const missing = certFile === undefined ? variables.cert : variables.key;
      throw new AppError('invalid_configuration', `${missing} is not set: set both, or none.`);
    },
  }),
);

/** Throws `invalid_configuration` for one file without the other. */
export function authoritiesOf(settings: AuthoritySettings, clock: Clock): Authorities {
  for (const { check } of authorityChecks) check(settings as Required<AuthoritySettings>);
  const found = Object.values(PROFILES).flatMap((profile) => {
    const { [PAIRS[profile.type].certFile]: certFile, [PAIRS[profile.type].keyFile]: keyFile } = settings;
    if (certFile === undefined || keyFile === undefined) return [];
    const files = { certFile, keyFile, responderUrl: settings.v2gOcspUrl };
    return [[profile.type, createAuthority(files, clock, profile)] as const];
  });
  return Object.fromEntries(found);
}
