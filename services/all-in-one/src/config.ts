import { apiSettings } from '@busbar/api';
import { chargerStateSettings } from '@busbar/charger-state';
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
