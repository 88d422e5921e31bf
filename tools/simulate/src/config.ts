import { choice, embeddedPlatformSettings, LOG_LEVELS } from '@busbar/runtime';

/** Where administration finds the data, for `--register` and the default address. */
export const simulateSettings = {
  storeUrl: embeddedPlatformSettings.storeUrl,
  storeCaFile: embeddedPlatformSettings.storeCaFile,
  logLevel: choice('LOG_LEVEL', 'The least severe log lines that are written.', { of: LOG_LEVELS, default: 'error' }),
};
