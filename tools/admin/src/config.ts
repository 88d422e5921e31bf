import { bootstrapSettings, choice, embeddedPlatformSettings, LOG_LEVELS, url } from '@busbar/runtime';

const { storeUrl, storeCaFile, brokerCaFile, brokerCertFile, brokerKeyFile } = embeddedPlatformSettings;

/** The settings of the admin tool; the defaults are those of the one-process mode. */
export const adminSettings = {
  storeUrl,
  storeCaFile,
  brokerCaFile,
  brokerCertFile,
  brokerKeyFile,
  /** Needed to replay dead letters and to close connections. */
  brokerUrl: url('BROKER_URL', 'The broker of a deployment.', {
    default: undefined,
    schemes: ['amqp://', 'amqps://', 'memory:'],
  }),
  logLevel: choice('LOG_LEVEL', 'The least severe log lines that are written.', { of: LOG_LEVELS, default: 'error' }),
};

/** The key of `smoke`: that of the first client. */
export const smokeSettings = { apiKey: bootstrapSettings.bootstrapApiKey };
