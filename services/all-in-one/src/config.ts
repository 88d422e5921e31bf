import { apiSettings } from '@busbar/api';
import { authorityCheck, chargerStateSettings } from '@busbar/charger-state';
import { gatewaySettings } from '@busbar/ocpp-gateway';
import { bootstrapCheck } from '@busbar/operations';
import {
  bootstrapSettings,
  brokerCheck,
  embeddedPlatformSettings,
  listenSettings,
  optionalPort,
  processSettings,
  storeCheck,
  tlsCheck,
  tlsSettings,
  type SettingsCheck,
  type SettingsOf,
} from '@busbar/runtime';

/** The settings of the one-process mode: those of the four services, with embedded defaults. */
export const allInOneSettings = {
  ...processSettings({ shutdownTimeoutS: 10 }),
  ...listenSettings('together'),
  ...tlsSettings,
  ...embeddedPlatformSettings,
  ...bootstrapSettings,
  ...chargerStateSettings,
  ...gatewaySettings,
  ...apiSettings,
  plainPort: optionalPort('OCPP_PLAIN_PORT', 'Port for plain ws, for chargers without TLS; off: none.', {
    default: 8080,
  }),
};

export type AllInOneSettings = SettingsOf<typeof allInOneSettings>;

/** Rules about settings that must agree. */
export const allInOneChecks: readonly SettingsCheck<AllInOneSettings>[] = [
  tlsCheck({ isMade: true }),
  brokerCheck,
  storeCheck,
  bootstrapCheck,
  authorityCheck,
];
