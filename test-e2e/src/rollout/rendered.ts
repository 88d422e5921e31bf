// The objects that the chart renders for the processes of these tests, so that they run where no Helm is built.
// test-e2e/src/chart compares it with what Helm renders.

export const COMPONENTS = ['gateway', 'charger-state', 'v2-api', 'legacy-api'] as const;
export type Component = (typeof COMPONENTS)[number];
export type Environment = Readonly<Record<string, string>>;

/** The parts of a Deployment, as far as its processes and a kubelet see it. */
export interface Rendered {
  readonly env: Environment;
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly terminationGracePeriodSeconds: number;
}

/** A readiness probe. */
export interface Probe {
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

/** Seconds over which a gateway that stops closes its sockets. */
export const DRAIN_S = 15;
/** The least that the chart allows: readiness takes two probes. */
const DELAY_S = 6;
const UNLIMITED = { RATE_LIMIT_PER_KEY: 100_000, RATE_LIMIT_PER_ADDRESS: 100_000 };

/** As for production, with short times, room for many requests, and pings often enough for half-open sockets. */
export const VALUES = {
  broker: { existingSecret: { name: 'broker' } },
  store: { existingSecret: { name: 'store' } },
  bootstrap: { existingSecret: 'bootstrap' },
  tls: { certificate: { existingSecret: 'certificate' } },
  shutdown: { delaySeconds: DELAY_S },
  gateway: { settings: { DRAIN_S, OCPP_PING_INTERVAL_S: 5 } },
  chargerState: { settings: { OCPP_MAX_STARTS_PER_DAY: 0, OCPP_MAX_CLIENT_STARTS_PER_DAY: 0 } },
  v2Api: { settings: UNLIMITED },
  legacyApi: { settings: UNLIMITED },
} as const;

/** Where the chart mounts the Secrets. */
export const SECRETS = '/secrets';

const EVERY = {
  BROKER_URL_FILE: `${SECRETS}/broker/url`,
  INTERNAL_HOST: '0.0.0.0',
  INTERNAL_PORT: '9090',
  SHUTDOWN_DELAY_S: String(DELAY_S),
};
const LISTENING = {
  HOST: '0.0.0.0',
  PORT: '8443',
  TLS: 'on',
  TLS_CERT_FILE: `${SECRETS}/tls/tls.crt`,
  TLS_KEY_FILE: `${SECRETS}/tls/tls.key`,
};
const API: Rendered = {
  env: {
    ...EVERY,
    ...LISTENING,
    BOOTSTRAP_API_KEY_FILE: `${SECRETS}/bootstrap/api-key`,
    BOOTSTRAP_CLIENT_ID_FILE: `${SECRETS}/bootstrap/client-id`,
    NODE_OPTIONS: '--max-old-space-size=179',
    RATE_LIMIT_PER_ADDRESS: '100000',
    RATE_LIMIT_PER_KEY: '100000',
    SHUTDOWN_TIMEOUT_S: '10',
    STORE_URL_FILE: `${SECRETS}/store/url`,
  },
  replicas: 2,
  minReadySeconds: 5,
  terminationGracePeriodSeconds: DELAY_S + 20,
};

export const RENDERED: Readonly<Record<Component, Rendered>> = {
  gateway: {
    env: {
      ...EVERY,
      ...LISTENING,
      DRAIN_S: String(DRAIN_S),
      NODE_OPTIONS: '--max-old-space-size=358',
      OCPP_MAX_CONNECTIONS: '5000',
      OCPP_PING_INTERVAL_S: '5',
      OCPP_PLAIN_PORT: 'off',
      PARTITIONS: '16',
      SHUTDOWN_TIMEOUT_S: String(DRAIN_S + 20),
    },
    replicas: 2,
    minReadySeconds: DELAY_S + DRAIN_S,
    terminationGracePeriodSeconds: DELAY_S + DRAIN_S + 30,
  },
  'charger-state': {
    env: {
      ...EVERY,
      NODE_OPTIONS: '--max-old-space-size=537',
      OCPP_MAX_CLIENT_STARTS_PER_DAY: '0',
      OCPP_MAX_STARTS_PER_DAY: '0',
      PARTITIONS: '16',
      SHUTDOWN_TIMEOUT_S: '10',
      STORE_URL_FILE: `${SECRETS}/store/url`,
    },
    replicas: 2,
    minReadySeconds: 10,
    terminationGracePeriodSeconds: DELAY_S + 20,
  },
  'v2-api': API,
  'legacy-api': API,
};

export const PROBE: Probe = { periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 };
