export {
  choice,
  choices,
  cidrs,
  flag,
  integer,
  optionalPort,
  path,
  port,
  required,
  text,
  url,
} from './settings/combinators';
export { describeSettings } from './settings/describe-settings';
export type { ProcessSpec } from './settings/describe-settings';
export { readSettings } from './settings/read-settings';
export type { Environment } from './settings/read-settings';
export type { Setting, SettingsOf, SettingsSpec } from './settings/setting';
export {
  bootstrapSettings,
  brokerSettings,
  commandSettings,
  embeddedPlatformSettings,
  leaseSettings,
  listenSettings,
  LOG_LEVELS,
  partitionSettings,
  processSettings,
  rateLimitSettings,
  storeSettings,
  tlsSettings,
} from './settings/shared-settings';
export type { LogLevel, Mode } from './settings/shared-settings';
