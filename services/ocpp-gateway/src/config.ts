import { supportedVersions } from '@busbar/ocpp';
import {
  brokerSettings,
  choices,
  flag,
  integer,
  leaseSettings,
  listenSettings,
  maskSettings,
  partitionSettings,
  plainListenSettings,
  processSettings,
  tlsSettings,
  type SettingsOf,
} from '@busbar/runtime';

/** Settings of a gateway, in its own process or beside the other services. */
export const gatewaySettings = {
  ...partitionSettings,
  ...leaseSettings,
  ocppVersions: choices('OCPP_VERSIONS', 'Versions that chargers may speak, most preferred first.', {
    of: supportedVersions(),
    default: supportedVersions(),
  }),
  pingIntervalS: integer(
    'OCPP_PING_INTERVAL_S',
    'Seconds between pings; a charger that is silent for two intervals is disconnected.',
    {
      default: 30,
      min: 1,
      max: 3600,
    },
  ),
  maxFrameBytes: integer('OCPP_MAX_FRAME_BYTES', 'Largest frame in bytes, inflated; a larger one closes its socket.', {
    default: 262_144,
    min: 1024,
    max: 16_777_216,
  }),
  maxMessagesPerS: integer(
    'OCPP_MAX_MESSAGES_PER_S',
    'Messages a second that one charger may send, with a burst of ten seconds; beyond it the charger is read more slowly; 0: no limit.',
    { default: 50, min: 0, max: 1_000_000 },
  ),
  maxBytesPerS: integer(
    'OCPP_MAX_BYTES_PER_S',
    'Inflated bytes a second that one charger may send, with a burst of ten seconds; beyond it the charger is read more slowly; 0: no limit.',
    { default: 262_144, min: 0, max: 1_000_000_000 },
  ),
  warnBytesPerDay: integer(
    'OCPP_WARN_BYTES_PER_DAY',
    'A charger that sends more inflated bytes in a day (UTC) is logged once, as a warning; 0: never.',
    { default: 268_435_456, min: 0, max: 1_000_000_000_000 },
  ),
  ...maskSettings,
  strict: flag('OCPP_STRICT', 'Reject deviations that are otherwise tolerated and counted.', { default: false }),
  maxConnections: integer(
    'OCPP_MAX_CONNECTIONS',
    'Maximum number of connected chargers; further ones are rejected with 503.',
    {
      default: 20_000,
      min: 1,
      max: 1_000_000,
    },
  ),
};

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;

/** Settings of a gateway in its own process. */
export const aloneSettings = {
  ...processSettings({ shutdownTimeoutS: 30 }),
  ...listenSettings('alone'),
  ...tlsSettings,
  ...brokerSettings,
  ...gatewaySettings,
  ...plainListenSettings({ default: 'off' }),
};
