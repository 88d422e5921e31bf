// Settings that more than one process reads. Each service's config.ts spreads what it needs and adds its own.
import { choice, cidrs, integer, path, port, required, text, url } from './combinators';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where a process runs: as one of several, or as the one that holds them all. */
export type Mode = 'alone' | 'together';

/** What every process reads. */
export function processSettings(options: { readonly shutdownTimeoutS: number }) {
  return {
    logLevel: choice('LOG_LEVEL', 'The least severe log lines that are written.', { of: LOG_LEVELS, default: 'info' }),
    shutdownTimeoutS: integer('SHUTDOWN_TIMEOUT_S', 'Seconds within which a process stops in order.', {
      default: options.shutdownTimeoutS,
      min: 1,
      max: 600,
    }),
    internalPort: port('INTERNAL_PORT', 'Port of /livez, /readyz and /metrics; never to be exposed.', {
      default: 9090,
    }),
  };
}

/** The public port and who may speak for others on it. */
export function listenSettings(mode: Mode) {
  return {
    host: text('HOST', 'Address of the public port.', {
      default: mode === 'together' ? '127.0.0.1' : '0.0.0.0',
      pattern: /^[A-Za-z0-9.:_-]{1,253}$/,
      expects: 'an address or host name of this machine',
    }),
    port: port('PORT', 'Public port: HTTPS, and wss where chargers connect.', { default: 8443 }),
    trustedProxies: cidrs('TRUSTED_PROXIES', 'Networks of proxies whose X-Forwarded headers count.'),
  };
}

/** Who proves what over TLS; see `tlsFrom`. */
export const tlsSettings = {
  tls: choice('TLS', 'off: a proxy in TRUSTED_PROXIES ends TLS in front of this process.', {
    of: ['on', 'off'],
    default: 'on',
  }),
  tlsCertFile: path('TLS_CERT_FILE', 'Certificate chain, PEM; read again when it changes.'),
  tlsKeyFile: path('TLS_KEY_FILE', 'Private key of the certificate, PEM.'),
  tlsClientCaFile: path('TLS_CLIENT_CA_FILE', 'Authorities, PEM, whose client certificates chargers may present.'),
};

const ABOUT_BROKER = 'The broker: memory: inside one process, else RabbitMQ.';
const ABOUT_STORE = 'The store: file:DIRECTORY for one process, else MongoDB.';
const AMQP = ['amqp://', 'amqps://'];
const MONGODB = ['mongodb://', 'mongodb+srv://'];

/** The embedded defaults of the one-process mode. */
export const embeddedPlatformSettings = {
  brokerUrl: url('BROKER_URL', ABOUT_BROKER, { default: 'memory:', schemes: ['memory:', ...AMQP] }),
  storeUrl: url('STORE_URL', ABOUT_STORE, { default: 'file:./data', schemes: ['file:', ...MONGODB] }),
};

/** The broker of a service alone: without a default, and not an embedded one, which would reach nobody. */
export const brokerSettings = {
  brokerUrl: required(url('BROKER_URL', ABOUT_BROKER, { default: undefined, schemes: AMQP })),
};

/** The store of a service alone: shared by all, so not an embedded one. */
export const storeSettings = {
  storeUrl: required(url('STORE_URL', ABOUT_STORE, { default: undefined, schemes: MONGODB })),
};

/** Of both at once: every process that hashes chargers onto queues must have the same value. */
export const partitionSettings = {
  partitions: integer('PARTITIONS', 'Queues that chargers are spread over; fixed at the first start.', {
    default: 16,
    min: 1,
    max: 256,
  }),
};

/** A client and key that are made once, for scripts; see `bootstrap`. */
export const bootstrapSettings = {
  bootstrapClientId: text('BOOTSTRAP_CLIENT_ID', 'Id of a client that is made at start where it is missing.', {
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
  bootstrapClientName: text('BOOTSTRAP_CLIENT_NAME', "The client's name where it is made.", {
    default: 'Default client',
    pattern: /^\S.{0,199}$/,
    expects: '1 to 200 characters',
  }),
};

/** Per API key, in the two HTTP services. */
export const rateLimitSettings = {
  rateLimitPerKey: integer('RATE_LIMIT_PER_KEY', 'Requests a second for one API key; a burst may be twice that.', {
    default: 100,
    min: 1,
    max: 100_000,
  }),
};

/** Of the services that send commands to chargers. */
export const commandSettings = {
  commandTimeoutS: integer('COMMAND_TIMEOUT_S', "Seconds that a command waits for the charger's answer.", {
    default: 30,
    min: 1,
    max: 60,
  }),
};

/** Of gateways and charger-state both. */
export const leaseSettings = {
  gatewayLeaseS: integer('GATEWAY_LEASE_S', 'Seconds after which a gateway that vanished counts as dead.', {
    default: 15,
    min: 3,
    max: 600,
  }),
};
