import {
  brokerSettings,
  choice,
  cidrs,
  decimal,
  egressSettings,
  integer,
  omittedFromDocuments,
  path,
  processSettings,
  secretsSettings,
  storeSettings,
  text,
  url,
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
  contractProviderUrl: url(
    'CONTRACT_PROVIDER_URL',
    'Contract provider of ISO 15118, to which Get15118EVCertificate is passed (docs/iso-15118.md). Absent: it fails.',
    { default: undefined, schemes: ['https://', 'http://'] },
  ),
  contractProviderAuthorization: text(
    'CONTRACT_PROVIDER_AUTHORIZATION',
    'Header Authorization of the requests to CONTRACT_PROVIDER_URL.',
    {
      default: undefined,
      pattern: /^[\x20-\x7e]{1,4000}$/,
      expects: '1 to 4,000 printable ASCII characters',
      secret: true,
    },
  ),
  ocsp: choice('OCSP', 'on: the status of certificates is asked of the responders (OCSP) that chargers name.', {
    of: ['on', 'off'],
    default: 'off',
  }),
  ocspAllowedCidrs: cidrs(
    'OCSP_ALLOWED_CIDRS',
    'Networks beyond the public ones that OCSP responders may be in. Link-local and metadata addresses stay refused.',
  ),
  contractRootsFile: path(
    'CONTRACT_ROOTS_FILE',
    'Authorities of contracts and vehicles, PEM, by which the status of certificates is verified; read at the start.',
  ),
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
