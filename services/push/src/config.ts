import {
  brokerSettings,
  decimal,
  egressSettings,
  integer,
  omittedFromDocuments,
  processSettings,
  secretsSettings,
  storeSettings,
  type SettingsOf,
} from '@busbar/runtime';

/** The settings of push, in its own process or in the one-process mode. */
export const pushSettings = {
  ...egressSettings,
  ...secretsSettings,
  maxInFlight: integer('PUSH_MAX_IN_FLIGHT', 'Requests to webhooks that a process sends at the same time.', {
    default: 500,
    min: 1,
    max: 10_000,
  }),
  timeScale: omittedFromDocuments(
    decimal(
      'PUSH_TIME_SCALE',
      'Factor of every wait, retry and limit of webhooks, for tests and trials; the time limit of a request stays.',
      { default: 1, min: 0.001, max: 1 },
    ),
  ),
};

export type PushSettings = SettingsOf<typeof pushSettings>;

/** The settings of a push process. */
export const aloneSettings = {
  ...processSettings({ shutdownTimeoutS: 15 }),
  ...brokerSettings,
  ...storeSettings,
  ...pushSettings,
};
