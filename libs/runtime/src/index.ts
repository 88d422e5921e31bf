export {
  choice,
  choices,
  cidrs,
  flag,
  decimal,
  integer,
  isHostName,
  literals,
  names,
  omittedFromDocuments,
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
  egressSettings,
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
  secretsSettings,
  storeSettings,
  tlsSettings,
  urlCheckSettings,
} from './settings/shared-settings';
export type { LogLevel, Mode } from './settings/shared-settings';
export { createUrlCheck, openEgress, openEgressOf, openResponderEgress } from './egress/open-egress';
export type { EgressSettings } from './egress/open-egress';
export type { Egress, EgressOptions, EgressRequest, EgressResponse } from './egress/egress';
export { EgressError } from './egress/egress-error';
export type { EgressErrorCode } from './egress/egress-error';
export type { EgressUrlResult } from './egress/egress-url';
export { secretsCheck, secretsFrom } from './secrets/secrets-from';
export { createStoredSecrets } from './secrets/stored-secrets';
export { announced } from './lifecycle/announced';
export { programVersion, readBuildInfo, versionLine } from './lifecycle/build-info';
export type { BuildInfo } from './lifecycle/build-info';
export { createAnnouncer } from './platform/announce-appended';
export { createPushLink } from './platform/push-link';
export { createAuthorizationLink } from './platform/authorization-link';
export { createChargerLink } from './platform/charger-link';
export { createFeedHints } from './platform/feed-hints';
export type { FeedHints } from './platform/feed-hints';
export { createLifecycle } from './lifecycle/lifecycle';
export type { Lifecycle } from './lifecycle/lifecycle';
export type { LifecycleOptions } from './lifecycle/lifecycle';
export { createLogger } from './logger';
export type { Distribution } from './metrics/histogram';
export { CALL_BUCKETS_S, createMetrics } from './metrics/metrics';
export type { CounterMetric, GaugeMetric, HistogramMetric, Labels, Metrics, ReadableCounter } from './metrics/metrics';
export { observeCertificate } from './metrics/observe-certificate';
export { observeRequests } from './metrics/observe-requests';
export { observeSockets } from './metrics/observe-sockets';
export { brokerCheck, storeCheck } from './platform/platform-checks';
export { traceRequests } from './tracing/trace-requests';
export type { TraceSpan, Tracing } from './tracing/tracing';
export { createOwners, ownerAmong } from './replicas/owners';
export type { Owners } from './replicas/owners';
export { createProcessReader } from './processes/process-record';
export type { ProcessRecord } from './processes/process-record';
export { createParticipation } from './replicas/participation';
export type { Participation } from './replicas/participation';
export { createRetainedSubscription } from './replicas/retained-subscription';
export type { RetainedSubscription } from './replicas/retained-subscription';
export { createProcessListener } from './lifecycle/process-listener';
export { run } from './lifecycle/run';
export type { Program, ProgramContext } from './lifecycle/run';
export { isLoopback, reachableAddresses } from './reachable-addresses';
export { startFailure } from './lifecycle/start-failure';
export { tlsChecks, tlsFrom } from './tls/tls';
export type { CertificatePair } from './tls/tls';
export { brokerHealth, storeHealth } from './platform/platform-health';
export { createBroker, createPlatform, createStorePlatform, dataDirectoryOf } from './platform/platform';
export type { AdapterDeps, Platform, StorePlatform } from './platform/platform';
export { measureSchema } from './platform/platform-metrics';
export type { ProgramVersion } from './processes/process-record';
export { createSettling } from './processes/settling';
export type { Migration } from './migrations/migration';
export { errnoOf } from './errno';
export type { ClientTlsFiles } from './tls/client-tls';
export { isSettled } from './migrations/store-schema';
export { createStoreSetup, readPartitions, readSchema } from './migrations/store-setup';
export { SCHEMA_VERSION } from './migrations/migrations';
export { isThere, REPLACED_SUFFIX } from './platform/broken-off-restore';
