// Wires the five services in one process. A restore replaces them all.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { createChargerState } from '@busbar/charger-state';
import type { Service } from '@busbar/core';
import { createConnectionCloser, type ConnectionCloser } from '@busbar/domain/chargers';
import { createListener, createRequestLimits, type BoundAddress, type HealthCheck, type Listener } from '@busbar/http';
import { createApiApp, type ApiDeps } from '@busbar/api';
import { legacyApi } from '@busbar/legacy-api';
import { createGateway } from '@busbar/ocpp-gateway';
import { createPush } from '@busbar/push';
import {
  announced,
  brokerHealth,
  createAuthorizationLink,
  createChargerLink,
  createFeedHints,
  createLifecycle,
  createPlatform,
  createPushLink,
  createUrlCheck,
  isHostName,
  isLoopback,
  observeCertificate,
  observeSockets,
  programVersion,
  rateLimitsFrom,
  reachableAddresses,
  secretsFrom,
  storeHealth,
  tlsFrom,
  versionLine,
  type Lifecycle,
  type Platform,
  type ProgramContext,
} from '@busbar/runtime';
import {
  bootstrap,
  bootstrapOrFirstClient,
  renewStoredSecrets,
  createDeployment,
  createDirectorySecrets,
  selfSignedFiles,
  selfSignedPair,
  type BootstrapResult,
  type SelfSignedPair,
} from '@busbar/operations';
import { createConsole, v2Api } from '@busbar/v2-api';
import type { allInOneSettings } from './config';
import { createFrontDoor, type FrontDoorOptions } from './front-door';
import { createLiveCounts } from './live-counts';
import { startPage } from './start-page';

export type Context = ProgramContext<typeof allInOneSettings>;

export interface ServicesPlace {
  /** For the self-signed certificate. */
  readonly directory: string;
  readonly port: number;
  readonly plainPort: number | 'off';
}

export interface InProcessServices extends Lifecycle {
  readonly platform: Platform;
  readonly connections: ConnectionCloser;
  /** For `/readyz`. */
  readonly checks: readonly HealthCheck[];
  /** The self-signed certificate; undefined for a configured one, and before `start` resolved. */
  certificate(): SelfSignedPair | undefined;
  /** True where a proxy ends TLS. */
  readonly isPlain: boolean;
  /** The bound addresses. Throws before `start` resolved. */
  addresses(): { readonly listener: BoundAddress; readonly plain: BoundAddress | undefined };
  /** Returns whether the web console has pages to show. */
  hasConsole(): boolean;
  /** Throws before `start` resolved. */
  client(): BootstrapResult;
}

/** For requests in flight; a stop may take ten seconds in all. */
const LISTENER_STOP_MS = 2_000;

/** Wires the services; nothing is opened before `start`. */
export async function createInProcessServices(context: Context, place: ServicesPlace): Promise<InProcessServices> {
  const { settings, logger, clock, metrics, tracing, build } = context;
  const { brokerUrl, storeUrl, partitions, trustedProxies } = settings;
  const process = { clock, logger, metrics, tracing, settings };
  let isSelfSigned = false;
  const tls = await tlsFrom(settings, () => {
    isSelfSigned = true;
    return selfSignedFiles(place.directory);
  });
  const platform = createPlatform({
    brokerUrl,
    storeUrl,
    program: { service: 'busbar', version: programVersion(build) },
    partitions,
    ...process,
    tlsFiles: settings,
  });
  const { broker, store, records } = platform;
  const { secrets, loadSecrets } = secretsOf(settings, platform.directory);
  const state = createChargerState({ broker, store, records, ...process, sweepAtStart: true });
  const loopback = isLoopback(settings.host);
  const push = createPush({ broker, store, records, ...process, secrets, loopback, isAlone: true });
  const gateway = createGateway({ broker, ...process });
  // With HSTS a browser does not let users accept an untrusted certificate.
  const sendsHsts = !isSelfSigned;
  const { feedHints, deployment, connections, web, v2, legacy } = createApis(context, platform, { secrets, sendsHsts });
  const listener = createListener({
    name: 'public listener',
    host: settings.host,
    port: place.port,
    tls,
    trustedProxies,
    logger,
    clock,
    limits: { stopMs: LISTENER_STOP_MS, socketsPerAddress: settings.maxSocketsPerAddress },
    onRequest: createFrontDoor({
      v2: v2.handle,
      legacy: legacy.handle,
      ocpp: gateway.handleRequest,
      onOcppRefused: gateway.handleRefused,
      console: web,
      startPage: startPageOf(context, { gateway, statistics: records.statistics, isSelfSigned }),
      trustedProxies,
      sendsHsts,
    }),
    onRefused: gateway.handleRefused,
    onUpgrade: gateway.handleUpgrade,
    onRevocations: gateway.applyRevocations,
    onCertificate: observeCertificate(metrics),
    acceptsUpgrade: gateway.acceptsOnSharedPort,
  });
  const plain = plainListener(context, place, gateway);
  observeSockets(metrics, plain === undefined ? [listener] : [listener, plain]);
  let client: BootstrapResult | undefined;
  let certificate: SelfSignedPair | undefined;
  const preparation = task('preparation', async () => {
    await loadSecrets();
    if (secrets !== undefined) await renewStoredSecrets({ ...records, secrets, logger });
    if (isSelfSigned) certificate = await makeCertificate(context, place.directory);
    client = await bootstrap({ records, clock }, settings);
  });
  // Last: the start that creates a key shows it, and a failed start creates none.
  const firstClient = task('first client', async () => {
    client ??= await bootstrapOrFirstClient({ records, clock }, settings);
  });
  const life = createLifecycle({
    name: 'network',
    logger,
    stopWithinMs: settings.shutdownTimeoutS * 1000,
    services: [
      platform,
      feedHints,
      deployment,
      preparation,
      state,
      push,
      gateway,
      announced(listener, 'public', logger),
      ...(plain === undefined ? [] : [announced(plain, 'plain', logger)]),
      firstClient,
      gateway.drain,
    ],
  });
  return {
    ...life,
    platform,
    connections,
    checks: [...gateway.checks, ...state.checks.map(withoutBroker), ...push.checks, ...platformChecks(platform)],
    certificate: () => certificate,
    isPlain: tls === undefined,
    hasConsole: () => web?.isServed() === true,
    addresses: () => ({ listener: listener.address(), plain: plain?.address() }),
    client() {
      if (client === undefined) throw new Error('the network has not been started');
      return client;
    },
  };
}

/** With a server as the store the key is that of the other processes on it: none is made. */
function secretsOf(settings: Context['settings'], directory: string | undefined) {
  if (directory === undefined) return { secrets: secretsFrom(settings), loadSecrets: () => Promise.resolve() };
  const secrets = createDirectorySecrets(directory, settings.secretsKey);
  return { secrets, loadSecrets: secrets.load };
}

/** Both APIs and the console, with what only they use. */
function createApis(
  { settings, clock, logger, metrics, tracing, build }: Context,
  platform: Platform,
  { secrets, sendsHsts }: Required<Pick<ApiDeps, 'secrets' | 'sendsHsts'>>,
) {
  const { broker, records } = platform;
  const link = createChargerLink({ broker, clock, metrics });
  const { trustedProxies, commandTimeoutS, maskKeys } = settings;
  const requestLimits = createRequestLimits(rateLimitsFrom(settings), clock);
  const authorizationLink = createAuthorizationLink(broker);
  const pushLink = createPushLink(broker);
  const own = { records, link, authorizationLink, pushLink, clock, logger, metrics, tracing };
  const api: ApiDeps = { ...own, trustedProxies, requestLimits, sendsHsts, commandTimeoutS, maskKeys };
  const feedHints = createFeedHints(broker);
  const self = { service: 'busbar', ...programVersion(build) };
  const deployment = createDeployment({ ...platform, clock, self });
  const checkUrl = createUrlCheck(settings, isLoopback(settings.host));
  const web = createConsole(api, settings);
  const hasConsole = web !== undefined;
  return {
    feedHints,
    deployment,
    connections: createConnectionCloser({ ...records, link, clock, logger }),
    web,
    v2: createApiApp(v2Api, { ...api, feedHints, deployment, secrets, checkUrl, hasConsole }),
    legacy: createApiApp(legacyApi, api),
  };
}

/** As a gateway, it stays ready without RabbitMQ: a load balancer may end the connections of an unready target. */
function withoutBroker(check: HealthCheck): HealthCheck {
  return check.name === 'partitions' ? { ...check, required: false } : check;
}

function platformChecks({ broker, store }: Platform): readonly HealthCheck[] {
  return [
    brokerHealth(broker, { required: false, failing: 'new connections of chargers are rejected, commands get 503.' }),
    storeHealth(store, { failing: 'requests get 503, messages of chargers wait.' }),
  ];
}

interface StartPageParts {
  readonly gateway: ReturnType<typeof createGateway>;
  readonly statistics: Platform['records']['statistics'];
  readonly isSelfSigned: boolean;
}

function startPageOf(
  { clock, build }: Context,
  { gateway, statistics, isSelfSigned }: StartPageParts,
): FrontDoorOptions['startPage'] {
  const readCounts = createLiveCounts({ statistics, gateway, clock });
  const version = versionLine('version', build);
  return async ({ host, isLocal }) => {
    const counts = isLocal ? ((await readCounts()) ?? 'unavailable') : undefined;
    return startPage({ version, host, isSelfSigned, counts });
  };
}

/** For every name and address by which this machine is reached. */
async function makeCertificate({ settings, logger, clock }: Context, directory: string): Promise<SelfSignedPair> {
  const found = [hostname().toLowerCase(), ...reachableAddresses(settings.host)];
  const names = [...found.filter((name) => isIP(name) !== 0 || isHostName(name)), ...settings.tlsNames];
  const pair = await selfSignedPair(directory, clock, names);
  const { certFile: file, replaced: reason } = pair;
  if (reason !== undefined) logger.warn({ file, reason }, 'created another self-signed certificate');
  return pair;
}

/** On `HOST` too: a service that is open to chargers is open to those without TLS. */
function plainListener(
  { settings, logger, clock }: Context,
  place: ServicesPlace,
  gateway: ReturnType<typeof createGateway>,
): Listener | undefined {
  if (place.plainPort === 'off') return undefined;
  const { host, plainHost } = settings;
  return createListener({
    name: 'plain listener',
    host: plainHost ?? host,
    ...(plainHost === undefined ? {} : { hostVariable: 'OCPP_PLAIN_HOST' }),
    port: place.plainPort,
    portVariable: 'OCPP_PLAIN_PORT',
    plainWebsocketsOnly: true,
    trustedProxies: settings.trustedProxies,
    logger,
    clock,
    limits: { stopMs: LISTENER_STOP_MS, socketsPerAddress: settings.maxSocketsPerAddress },
    // The listener refuses every request that is no upgrade.
    onRequest: (_request, response) => response.destroy(),
    onRefused: gateway.handleRefused,
    onUpgrade: gateway.handlePlainUpgrade,
    acceptsUpgrade: gateway.acceptsUpgrade,
  });
}

/** A service that runs some work once, at its place in the order of a start. */
function task(name: string, work: () => Promise<void>): Service {
  let done: Promise<void> | undefined;
  return { name, start: () => (done ??= work()), stop: () => Promise.resolve(), ready: () => true };
}
