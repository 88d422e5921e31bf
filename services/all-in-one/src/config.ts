import { AppError } from '@busbar/core';
import { apiSettings, webhookApiSettings } from '@busbar/api';
import { authorityChecks, chargerStateSettings } from '@busbar/charger-state';
import { drainCheck, drainSettings, gatewaySettings } from '@busbar/ocpp-gateway';
import { bootstrapCheck } from '@busbar/operations';
import { pushSettings } from '@busbar/push';
import {
  bootstrapSettings,
  brokerCheck,
  embeddedPlatformSettings,
  listenSettings,
  names,
  plainListenSettings,
  processSettings,
  secretsCheck,
  storeCheck,
  tlsChecks,
  tlsSettings,
  type SettingsCheck,
  type SettingsOf,
} from '@busbar/runtime';
import { consoleSettings } from '@busbar/v2-api';

/** The settings of the one-process mode: those of the five services, with embedded defaults. */
export const allInOneSettings = {
  ...processSettings({ shutdownTimeoutS: 20 }),
  ...listenSettings('together'),
  ...tlsSettings,
  ...embeddedPlatformSettings,
  ...bootstrapSettings,
  ...chargerStateSettings,
  ...pushSettings,
  ...gatewaySettings,
  // Its chargers have no other gateway that a slow drain would spare.
  ...drainSettings({ default: 0 }),
  ...apiSettings,
  ...webhookApiSettings,
  ...consoleSettings,
  ...plainListenSettings({ default: 8080 }),
  tlsNames: names(
    'TLS_NAMES',
    'More names of the self-signed certificate, which has localhost, the host name and the addresses of this machine that HOST opens.',
  ),
};

export type AllInOneSettings = SettingsOf<typeof allInOneSettings>;

/** The names are those of the certificate that this process makes. */
const namesCheck: SettingsCheck<Pick<AllInOneSettings, 'tls' | 'tlsCertFile' | 'tlsNames'>> = {
  of: ['tls', 'tlsCertFile', 'tlsNames'],
  check({ tls, tlsCertFile, tlsNames }) {
    if (tlsNames.length === 0 || (tls === 'on' && tlsCertFile === undefined)) return;
    const other = tls === 'off' ? 'TLS=off' : 'TLS_CERT_FILE';
    throw new AppError(
      'invalid_configuration',
      `TLS_NAMES is set and so is ${other}: TLS_NAMES is for the self-signed certificate, so remove one of them.`,
    );
  },
};

/** Rules about settings that must agree. */
export const allInOneChecks: readonly SettingsCheck<AllInOneSettings>[] = [
  ...tlsChecks({ isMade: true }),
  namesCheck,
  brokerCheck,
  storeCheck,
  bootstrapCheck,
  secretsCheck,
  ...authorityChecks,
  drainCheck,
];
