export {
  choice,
  choices,
  cidrs,
  flag,
  integer,
  isHostName,
  literals,
  names,
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
export type { Setting, SettingsCheck, SettingsOf } from './settings/setting';
export {
  bootstrapSettings,
  brokerSettings,
  commandSettings,
  embeddedPlatformSettings,
  leaseSettings,
  listenSettings,
  maskSettings,
  LOG_LEVELS,
  partitionSettings,
  plainListenSettings,
  processSettings,
  rateLimitSettings,
  rateLimitsFrom,
  storeSettings,
  tlsSettings,
} from './settings/shared-settings';
export type { LogLevel, Mode } from './settings/shared-settings';
export { announced } from './announced';
export { programVersion, readBuildInfo, versionLine } from './build-info';
export type { BuildInfo } from './build-info';
export { createChargerLink } from './charger-link';
export { createLifecycle } from './lifecycle';
export type { Lifecycle } from './lifecycle';
export type { LifecycleOptions } from './lifecycle';
export { createLogger } from './logger';
export type { Distribution } from './histogram';
export { CALL_BUCKETS_S, createMetrics } from './metrics';
export type { CounterMetric, GaugeMetric, HistogramMetric, Labels, Metrics, ReadableCounter } from './metrics';
export { observeCertificate } from './observe-certificate';
export { observeRequests } from './observe-requests';
export { observeSockets } from './observe-sockets';
export { brokerCheck, storeCheck } from './platform-checks';
export { traceRequests } from './tracing/trace-requests';
export type { TraceSpan, Tracing } from './tracing/tracing';
export { createProcessListener } from './process-listener';
export { run } from './run';
export type { Program, ProgramContext } from './run';
export { selfSignedFiles, selfSignedPair } from './certificates';
export type { CertificatePair, SelfSignedPair } from './certificates';
export { isLoopback, reachableAddresses } from './reachable-addresses';
export { startFailure } from './start-failure';
export { tlsChecks, tlsFrom } from './tls';
export { brokerHealth, storeHealth } from './platform-health';
export { createBroker, createPlatform, createStorePlatform, dataDirectoryOf } from './platform';
export type { AdapterDeps, Platform, StorePlatform } from './platform';
export { measureSchema } from './platform-metrics';
export type { ProgramVersion } from './processes/process-record';
export { createSettling } from './processes/settling';
export type { Migration } from './migrations/migration';
export { writeSecretFile } from './secret-file';
export { errnoOf } from './errno';
export type { ClientTlsFiles } from './client-tls';
export { isSettled } from './store-schema';
export { createStoreSetup, readPartitions, readSchema } from './store-setup';
export { SCHEMA_VERSION } from './migrations/migrations';
export { isThere, REPLACED_SUFFIX } from './broken-off-restore';
