// Settings that more than one process reads. Each service's config.ts spreads what it needs and adds its own.
import type { RequestLimitOptions } from '@busbar/http';
import {
  choice,
  cidrs,
  flag,
  integer,
  listenAddress,
  literals,
  optionalPort,
  path,
  paths,
  port,
  required,
  text,
  url,
} from './combinators';
import { tracingSettings } from '../tracing/tracing-settings';
import type { SettingsOf } from './setting';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One of several processes, or the one-process mode. */
export type Mode = 'alone' | 'together';

/** The settings of every process. */
export function processSettings(options: { readonly shutdownTimeoutS: number }) {
  return {
    ...tracingSettings,
    logLevel: choice('LOG_LEVEL', 'The least severe log lines that are written.', { of: LOG_LEVELS, default: 'info' }),
    shutdownDelayS: integer(
      'SHUTDOWN_DELAY_S',
      'Seconds after SIGTERM in which a process is unready and serves on, until load balancers have noticed; SIGINT skips them.',
      { default: 0, min: 0, max: 120 },
    ),
    shutdownTimeoutS: integer(
      'SHUTDOWN_TIMEOUT_S',
      'Seconds within which a process stops in order, after SHUTDOWN_DELAY_S.',
      { default: options.shutdownTimeoutS, min: 1, max: 600 },
    ),
    internalHost: listenAddress('INTERNAL_HOST', 'Address of the internal port; 0.0.0.0 in the image.', {
      default: '127.0.0.1',
    }),
    internalPort: port('INTERNAL_PORT', 'Port of /livez, /readyz and /metrics; never to be exposed.', {
      default: 9090,
    }),
  };
}

/** The public port and its trusted proxies. */
export function listenSettings(mode: Mode) {
  return {
    host: listenAddress('HOST', 'Address of the public port.', {
      default: mode === 'together' ? '127.0.0.1' : '0.0.0.0',
    }),
    port: port('PORT', 'Public port: HTTPS, and wss where chargers connect.', { default: 8443 }),
    trustedProxies: cidrs('TRUSTED_PROXIES', 'Networks of proxies whose X-Forwarded headers count.'),
    maxSocketsPerAddress: integer(
      'MAX_SOCKETS_PER_ADDRESS',
      'Open sockets of one address, without those of admitted chargers; further ones are closed. 0: no limit.',
      { default: 2_000, min: 0, max: 1_000_000 },
    ),
  };
}

/** The port for plain ws, of gateways and of the one-process mode. */
export function plainListenSettings(options: { readonly default: number | 'off' }) {
  return {
    plainPort: optionalPort('OCPP_PLAIN_PORT', 'Port for plain ws, for chargers without TLS; off: none.', options),
    plainHost: listenAddress('OCPP_PLAIN_HOST', 'Address of OCPP_PLAIN_PORT. Default: that of HOST.', {
      default: undefined,
    }),
  };
}

/** TLS of the public port; see `tlsFrom`. */
export const tlsSettings = {
  tls: choice('TLS', 'off: a proxy in TRUSTED_PROXIES ends TLS in front of this process.', {
    of: ['on', 'off'],
    default: 'on',
  }),
  tlsCertFile: paths(
    'TLS_CERT_FILE',
    'Certificate chain, PEM; read again when it changes. Several have keys of different types, RSA and EC.',
  ),
  tlsKeyFile: paths('TLS_KEY_FILE', 'Private key of the certificate, PEM. Several are in the order of TLS_CERT_FILE.'),
  tlsClientCaFile: path('TLS_CLIENT_CA_FILE', 'Authorities, PEM, whose client certificates chargers may present.'),
  tlsRsaKeyExchange: choice(
    'TLS_RSA_KEY_EXCHANGE',
    'on: chargers of TLS 1.2 without ECDHE are served too, with an RSA certificate and without forward secrecy.',
    { of: ['on', 'off'], default: 'off' },
  ),
};

const ABOUT_BROKER = 'The broker: memory: inside one process, else RabbitMQ.';
const ABOUT_STORE = 'The store: file:DIRECTORY for one process, else MongoDB.';
const AMQP = ['amqp://', 'amqps://'];
const MONGODB = ['mongodb://', 'mongodb+srv://'];

/** Paths themselves: none of these is the `_FILE` of another variable. */
const brokerTlsSettings = {
  brokerCaFile: path('BROKER_CA_FILE', "Authorities, PEM, that RabbitMQ's certificate must come from (amqps://)."),
  brokerCertFile: path('BROKER_CERT_FILE', 'Certificate, PEM, that RabbitMQ is shown; read for each connection.'),
  brokerKeyFile: path('BROKER_KEY_FILE', 'Private key of BROKER_CERT_FILE, PEM.'),
};

const storeTlsSettings = {
  storeCaFile: path('STORE_CA_FILE', "Authorities, PEM, that MongoDB's certificate must come from; turns TLS on."),
};

/** The embedded defaults of the one-process mode. */
export const embeddedPlatformSettings = {
  ...brokerTlsSettings,
  ...storeTlsSettings,
  brokerUrl: url('BROKER_URL', ABOUT_BROKER, { default: 'memory:', schemes: ['memory:', ...AMQP] }),
  storeUrl: url('STORE_URL', ABOUT_STORE, { default: 'file:./data', schemes: ['file:', ...MONGODB] }),
};

/** The broker of a service alone: mandatory, and never the embedded one, which no other process reaches. */
export const brokerSettings = {
  ...brokerTlsSettings,
  brokerUrl: required(url('BROKER_URL', ABOUT_BROKER, { default: undefined, schemes: AMQP })),
};

/** The store of a service alone: shared, so never the embedded one. */
export const storeSettings = {
  ...storeTlsSettings,
  storeUrl: required(url('STORE_URL', ABOUT_STORE, { default: undefined, schemes: MONGODB })),
};

/** Every process that hashes chargers onto queues needs the same value. */
export const partitionSettings = {
  partitions: integer('PARTITIONS', 'Queues that chargers are spread over; fixed at the first start.', {
    default: 16,
    min: 1,
    max: 256,
  }),
};

/** Which URLs of webhooks and endpoints of clients are accepted. */
export const urlCheckSettings = {
  pushAllowedCidrs: cidrs(
    'PUSH_ALLOWED_CIDRS',
    'Networks beyond the public ones that webhooks may be in. Link-local and metadata addresses stay refused.',
  ),
  pushPlainHttp: flag('PUSH_PLAIN_HTTP', 'true: webhooks in PUSH_ALLOWED_CIDRS may have http: URLs.', {
    default: false,
  }),
};

/** Where requests to servers of others may go. */
export const egressSettings = {
  ...urlCheckSettings,
  pushProxyUrl: url('PUSH_PROXY_URL', 'Proxy for all requests to webhooks, which then filters addresses.', {
    default: undefined,
    schemes: ['http://', 'https://'],
  }),
  pushCaFile: path(
    'PUSH_CA_FILE',
    "Authorities, PEM, that webhooks' certificates may come from, beside the usual ones.",
  ),
};

/** For the services that store secrets, or send them. `secretsCheck` validates the keys. */
export const secretsSettings = {
  secretsKey: text(
    'SECRETS_KEY',
    'Keys that encrypt secrets of webhooks, 32 bytes in base64 each: the first encrypts, all decrypt. The one process makes one in its data directory.',
    {
      default: undefined,
      pattern: /^[A-Za-z0-9+/=, ]{1,1000}$/,
      expects: 'one or more keys of 32 bytes in base64, separated by commas',
      secret: true,
    },
  ),
};

/** A client and key that are created once, for scripts; see `bootstrap`. */
export const bootstrapSettings = {
  bootstrapClientId: text('BOOTSTRAP_CLIENT_ID', 'Id of a client that is created at the start if it is missing.', {
    default: undefined,
    pattern: /^[A-Za-z0-9_.-]{1,64}$/,
    expects: '1 to 64 letters, digits, "_", "-" or "."',
  }),
  bootstrapApiKey: text('BOOTSTRAP_API_KEY', "That client's API key: 16 to 200 printable characters.", {
    default: undefined,
    pattern: /^(?! )[\x20-\x7e]{16,200}(?<! )$/,
    expects: '16 to 200 printable ASCII characters without a space at the ends',
    secret: true,
  }),
  bootstrapClientName: text('BOOTSTRAP_CLIENT_NAME', "The client's name when it is created.", {
    default: 'Default client',
    pattern: /^\S.{0,199}$/,
    expects: '1 to 200 characters',
  }),
};

/** For each process of the two HTTP APIs. */
export const rateLimitSettings = {
  rateLimitPerKey: integer(
    'RATE_LIMIT_PER_KEY',
    "Requests a second for one API key at one process, with a burst of twice that; a client's keys have four times as much together.",
    { default: 100, min: 1, max: 100_000 },
  ),
  rateLimitPerAddress: integer(
    'RATE_LIMIT_PER_ADDRESS',
    'Requests a second without a valid API key from one address at one process, with a burst of five times that.',
    { default: 10, min: 1, max: 100_000 },
  ),
};

export function rateLimitsFrom(settings: SettingsOf<typeof rateLimitSettings>): RequestLimitOptions {
  return { perKey: settings.rateLimitPerKey, perAddress: settings.rateLimitPerAddress };
}

/** For the services that send commands to chargers. */
export const commandSettings = {
  commandTimeoutS: integer('COMMAND_TIMEOUT_S', "Seconds that a command waits for the charger's answer.", {
    default: 30,
    min: 1,
    max: 60,
  }),
};

/** For services that store frames or commands. */
export const maskSettings = {
  maskKeys: literals(
    'OCPP_MASK_KEYS',
    'More names of secrets: the value of a key or field whose name contains one of these words is masked, in any case.',
  ),
};

/** For gateways and charger-state. */
export const leaseSettings = {
  gatewayLeaseS: integer('GATEWAY_LEASE_S', 'Seconds after which a gateway without a sign of life counts as dead.', {
    default: 15,
    min: 3,
    max: 600,
  }),
};
