import {
  brokerSettings,
  commandSettings,
  decimal,
  integer,
  path,
  leaseSettings,
  partitionSettings,
  processSettings,
  storeSettings,
  url,
  type SettingsOf,
} from '@busbar/runtime';

/** The settings of charger-state, in its own process or in the one-process mode. */
export const chargerStateSettings = {
  ...partitionSettings,
  ...leaseSettings,
  ...commandSettings,
  heartbeatIntervalS: integer(
    'OCPP_HEARTBEAT_INTERVAL_S',
    'Seconds between heartbeats, in the answer to each BootNotification. A change reaches a charger at its next boot. There it replaces a HeartbeatInterval that a command has set.',
    { default: 300, min: 1, max: 86_400 },
  ),
  maxConnectionsPerClient: integer(
    'OCPP_MAX_CONNECTIONS_PER_CLIENT',
    'Chargers of one client that may be connected at the same time; 0: any number.',
    { default: 0, min: 0, max: 10_000_000 },
  ),
  maxStartsPerDay: integer(
    'OCPP_MAX_STARTS_PER_DAY',
    'Transactions that a charger may begin in a day (UTC), each of which takes a transaction id; 0: any number.',
    { default: 1_000, min: 0, max: 10_000_000 },
  ),
  maxClientStartsPerDay: integer(
    'OCPP_MAX_CLIENT_STARTS_PER_DAY',
    "Transactions that a client's chargers together may begin in a day (UTC), deleted chargers included; 0: any number.",
    { default: 200_000, min: 0, max: 100_000_000 },
  ),
  chargerCaCertFile: path(
    'CHARGER_CA_CERT_FILE',
    "Certificate authority that signs chargers' certificates, with those up to its root, PEM. Absent: none are signed.",
  ),
  chargerCaKeyFile: path('CHARGER_CA_KEY_FILE', 'Private key of that authority, PEM.'),
  v2gCaCertFile: path(
    'V2G_CA_CERT_FILE',
    'Sub-CA of ISO 15118-2 (EC P-256) that signs V2G certificates of chargers, with those up to its root, PEM (docs/iso-15118.md). Absent: none are signed.',
  ),
  v2gCaKeyFile: path('V2G_CA_KEY_FILE', 'Private key of that sub-CA, PEM.'),
  v2g20CaCertFile: path(
    'V2G20_CA_CERT_FILE',
    'Sub-CA of ISO 15118-20 (EC P-521) that signs V2G certificates of chargers of OCPP 2.1, as V2G_CA_CERT_FILE.',
  ),
  v2g20CaKeyFile: path('V2G20_CA_KEY_FILE', 'Private key of that sub-CA, PEM.'),
  v2gOcspUrl: url(
    'V2G_OCSP_URL',
    'OCSP responder of these sub-CAs, which V2G certificates name. Absent: they name none.',
    {
      default: undefined,
      schemes: ['http://', 'https://'],
    },
  ),
  logRetentionDays: integer('LOG_RETENTION_DAYS', 'Days that the OCPP log is stored.', {
    default: 30,
    min: 1,
    max: 3650,
  }),
  sessionRetentionDays: integer(
    'SESSION_RETENTION_DAYS',
    'Days that ended sessions are stored; their meter values are deleted after HISTORY_RETENTION_DAYS.',
    { default: 3650, min: 1, max: 36_500 },
  ),
  eventRetentionDays: decimal(
    'EVENT_RETENTION_DAYS',
    'Days that the feed of events is stored, for readers that were disconnected; also a fraction.',
    { default: 7, min: 0.001, max: 3650 },
  ),
  deliveryLogDays: decimal(
    'DELIVERY_LOG_DAYS',
    'Days that delivery attempts of webhooks are stored; also a fraction.',
    { default: 3, min: 0.001, max: 365 },
  ),
  historyRetentionDays: integer(
    'HISTORY_RETENTION_DAYS',
    'Days that states, meter values, events and ended connections are stored.',
    { default: 90, min: 1, max: 3650 },
  ),
};

export type ChargerStateSettings = SettingsOf<typeof chargerStateSettings>;

/** The settings of a charger-state process. */
export const aloneSettings = {
  ...processSettings({ shutdownTimeoutS: 10 }),
  ...brokerSettings,
  ...storeSettings,
  ...chargerStateSettings,
};
