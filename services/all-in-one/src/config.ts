import { chargerStateSettings } from '@busbar/charger-state';
import { legacySettings } from '@busbar/legacy-api';
import { gatewaySettings } from '@busbar/ocpp-gateway';
import {
  bootstrapSettings,
  embeddedPlatformSettings,
  listenSettings,
  optionalPort,
  processSettings,
  tlsSettings,
  type SettingsOf,
} from '@busbar/runtime';
import { v2Settings } from '@busbar/v2-api';

/** The settings of the one-process mode: those of the four services, with embedded defaults. */
export const allInOneSettings = {
  ...processSettings({ shutdownTimeoutS: 10 }),
  ...listenSettings('together'),
  ...tlsSettings,
  ...embeddedPlatformSettings,
  ...bootstrapSettings,
  ...chargerStateSettings,
  ...gatewaySettings,
  ...v2Settings,
  ...legacySettings,
  plainPort: optionalPort('OCPP_PLAIN_PORT', 'Port for plain ws, for chargers without TLS; off: none.', {
    default: 8080,
  }),
};

export type AllInOneSettings = SettingsOf<typeof allInOneSettings>;
