import { AppError } from '@busbar/core';
import { supportedVersions } from '@busbar/ocpp';
import {
  brokerSettings,
  choice,
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
  type SettingsCheck,
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

/** The settings by which a gateway that stops closes its connections. */
export function drainSettings(options: { readonly default: number }) {
  return {
    drainS: integer(
      'DRAIN_S',
      'Seconds over which a gateway that stops closes its sockets evenly; at most 2000 are closed in a second.',
      { default: options.default, min: 0, max: 540 },
    ),
    drainCode: choice(
      'DRAIN_CODE',
      'Close code of a gateway that stops: 1001 (going away), or 1012 (service restart), after which chargers that know it wait 5 to 30 seconds.',
      { of: ['1001', '1012'], default: '1001' },
    ),
  };
}

/** Between gateways; the one process has no others. */
const rebalanceSettings = {
  rebalance: choice(
    'REBALANCE',
    'on: a gateway with many more sockets than the others closes idle ones slowly, so that new gateways fill.',
    { of: ['off', 'on'], default: 'off' },
  ),
};

export type GatewaySettings = SettingsOf<typeof gatewaySettings & ReturnType<typeof drainSettings>> &
  Partial<SettingsOf<typeof rebalanceSettings>>;

/** The time of a stop beside the drain: calls in flight, close handshakes, confirms of the broker. */
const BESIDE_DRAIN_S = 20;

/** A drain that the deadline of the stop cuts off would end its sockets without a close frame. */
export const drainCheck: SettingsCheck<Pick<GatewaySettings, 'drainS'> & { readonly shutdownTimeoutS: number }> = {
  of: ['drainS', 'shutdownTimeoutS'],
  check({ drainS, shutdownTimeoutS }) {
    const minTimeoutS = drainS + BESIDE_DRAIN_S;
    if (shutdownTimeoutS >= minTimeoutS) return;
    throw new AppError(
      'invalid_configuration',
      `SHUTDOWN_TIMEOUT_S is ${String(shutdownTimeoutS)} and DRAIN_S is ${String(drainS)}: set SHUTDOWN_TIMEOUT_S to ${String(minTimeoutS)} or more, which is DRAIN_S and ${String(BESIDE_DRAIN_S)} seconds, or lower DRAIN_S.`,
    );
  },
};

/** Settings of a gateway in its own process. */
export const aloneSettings = {
  ...processSettings({ shutdownTimeoutS: 30 }),
  ...listenSettings('alone'),
  ...tlsSettings,
  ...brokerSettings,
  ...gatewaySettings,
  ...drainSettings({ default: 10 }),
  ...rebalanceSettings,
  ...plainListenSettings({ default: 'off' }),
};
