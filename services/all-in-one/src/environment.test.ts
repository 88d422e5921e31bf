import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEnvironment } from './environment';

/** The names that other people's scripts rely on: a renamed or missing one breaks them. */
const PROMISED = [
  'BOOTSTRAP_API_KEY',
  'BOOTSTRAP_CLIENT_ID',
  'BOOTSTRAP_CLIENT_NAME',
  'BROKER_CA_FILE',
  'BROKER_CERT_FILE',
  'BROKER_KEY_FILE',
  'BROKER_URL',
  'CHARGER_CA_CERT_FILE',
  'CHARGER_CA_KEY_FILE',
  'COMMAND_TIMEOUT_S',
  'CONSOLE',
  'CONSOLE_OCPP_URL',
  'CONSOLE_TILES_ATTRIBUTION',
  'CONSOLE_TILES_URL',
  'DELIVERY_LOG_DAYS',
  'DRAIN_CODE',
  'DRAIN_S',
  'EVENT_RETENTION_DAYS',
  'GATEWAY_LEASE_S',
  'HISTORY_RETENTION_DAYS',
  'HOST',
  'INTERNAL_HOST',
  'INTERNAL_PORT',
  'LOG_LEVEL',
  'LOG_RETENTION_DAYS',
  'MAX_SOCKETS_PER_ADDRESS',
  'OCPP_HEARTBEAT_INTERVAL_S',
  'OCPP_MASK_KEYS',
  'OCPP_MAX_BYTES_PER_S',
  'OCPP_MAX_CLIENT_STARTS_PER_DAY',
  'OCPP_MAX_CONNECTIONS',
  'OCPP_MAX_CONNECTIONS_PER_CLIENT',
  'OCPP_MAX_FRAME_BYTES',
  'OCPP_MAX_MESSAGES_PER_S',
  'OCPP_MAX_STARTS_PER_DAY',
  'OCPP_PING_INTERVAL_S',
  'OCPP_PLAIN_HOST',
  'OCPP_PLAIN_PORT',
  'OCPP_STRICT',
  'OCPP_VERSIONS',
  'OCPP_WARN_BYTES_PER_DAY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'PARTITIONS',
  'PORT',
  'PUSH_ALLOWED_CIDRS',
  'PUSH_CA_FILE',
  'PUSH_MAX_IN_FLIGHT',
  'PUSH_PLAIN_HTTP',
  'PUSH_PROXY_URL',
  'RATE_LIMIT_PER_ADDRESS',
  'RATE_LIMIT_PER_KEY',
  'REBALANCE',
  'SECRETS_KEY',
  'SESSION_RETENTION_DAYS',
  'SHUTDOWN_DELAY_S',
  'SHUTDOWN_TIMEOUT_S',
  'STORE_CA_FILE',
  'STORE_URL',
  'TLS',
  'TLS_CERT_FILE',
  'TLS_CLIENT_CA_FILE',
  'TLS_KEY_FILE',
  'TLS_NAMES',
  'TLS_RSA_KEY_EXCHANGE',
  'TRUSTED_PROXIES',
];

it('lists every variable of every process with its default in deploy/env.example', () => {
  const file = join(__dirname, '../../../deploy/env.example');
  expect(readFileSync(file, 'utf8')).toBe(describeEnvironment());
});

it('documents every variable, and no other', () => {
  const variables = [...describeEnvironment().matchAll(/^#([A-Z0-9_]+)=/gm)].map((match) => match[1]);
  expect(variables).toEqual(PROMISED);
});
