import { choice, embeddedPlatformSettings, LOG_LEVELS } from '@busbar/runtime';

const { storeUrl } = embeddedPlatformSettings;

/** What administration reads; the defaults are those of the one-process mode. */
export const adminSettings = {
  storeUrl,
  logLevel: choice('LOG_LEVEL', 'The least severe log lines that are written.', { of: LOG_LEVELS, default: 'error' }),
};
