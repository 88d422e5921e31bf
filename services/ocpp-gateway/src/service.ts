import type { IncomingMessage } from 'node:http';
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Clock, Logger, Service } from '@busbar/core';
import type { HealthCheck, ListenerOptions, RevocationCheck } from '@busbar/http';
import { programVersion, type Metrics, type ProgramVersion, type Tracing } from '@busbar/runtime';
import { createMasker } from '@busbar/ocpp';
import type { GatewaySettings } from './config';
import { createGatewayMetrics, observeGateway, type GatewayMetrics } from './gateway-metrics';
import { LIMITS, type GatewayLimits } from './limits';
import { openConnection, announceConnected, withReplays } from './open-connection';
import { createAttemptTrail } from './admission/attempt-trail';
import { asksForWebsocket, isChargerPath } from './admission/handshake';
import type { AdmissionLimits } from './admission/judge-upgrade';
import type { ThrottleLimits } from './admission/login-throttle';
import { createOrdinaryRequests, type OrdinaryRequests } from './admission/ordinary-requests';
import type { Rejection } from './admission/rejection';
import { rejectUpgrade } from './admission/reject-upgrade';
import { createRetrySchedule } from './admission/retry-schedule';
import { createUpgradeHandler } from './admission/upgrade';
import { createUpgradeResults } from './admission/upgrade-results';
import { drainSockets } from './connection/drain';
import { createLiveness } from './connection/liveness';
import { createRegistry } from './connection/registry';
import { createRevocations } from './connection/revocations';
import { createTrafficMeter, type TrafficMeter } from './connection/traffic';
import { createWebSocketServer } from './connection/websocket-server';
import { createAuthorizationTerms } from './uplink/authorization-terms';
import { createBackpressure } from './uplink/backpressure';
import { createDecisions } from './uplink/decisions';
import { createInbound } from './uplink/inbound';
import { createPublisher } from './uplink/publisher';
import { serveCommands } from './downlink/commands';
import { createLease, type LeaseDeps } from './downlink/lease';
import { createRebalancer } from './downlink/rebalancer';
import { createRefusedCalls } from './downlink/refused-calls';

export interface GatewayDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  readonly settings: GatewaySettings;
  /** Shown in the lease. Default: that of this program. */
  readonly version?: ProgramVersion;
  /** A stop was requested and may follow only after a delay. Default: none before the stop itself. */
  readonly stopRequested?: () => boolean;
  // Tests give limits of their own.
  readonly admissionLimits?: Partial<AdmissionLimits>;
  readonly throttleLimits?: ThrottleLimits;
  readonly limits?: Partial<GatewayLimits>;
}

export type AcceptUpgrade = NonNullable<ListenerOptions['onUpgrade']>;

export interface Gateway extends Service {
  /** For `/readyz`: it has started, which needs the broker, and does not stop. */
  readonly checks: readonly HealthCheck[];
  /**
   * Returns whether an upgrade on a port of its own is for the gateway: every websocket, also at a wrong path, which
   * gets 404.
   */
  readonly acceptsUpgrade: (request: IncomingMessage) => boolean;
  /** The same on a port that is shared: websockets below `/ocpp/`. */
  readonly acceptsOnSharedPort: (request: IncomingMessage) => boolean;
  /** For upgrades on the public port, which must use TLS. */
  readonly handleUpgrade: AcceptUpgrade;
  /** For upgrades on a port for plain ws. */
  readonly handlePlainUpgrade: AcceptUpgrade;
  /** Open connections of chargers, and the frames that came from chargers since the process started. */
  readonly counts: () => { readonly connections: number; readonly frames: number };
  /** Closes open and later connections whose client certificate is revoked. */
  readonly applyRevocations: (isRevoked: RevocationCheck) => void;
  /**
   * Closes the sockets when it stops (`DRAIN_S`). The last service of a life cycle: meanwhile the listeners reject upgrades with
   * 503, and everything else serves the sockets that are still open.
   */
  readonly drain: Service;
  /** For requests that ask for no websocket upgrade. */
  readonly handleRequest: OrdinaryRequests['handleRequest'];
  /** For upgrades and requests that the listener has rejected itself. */
  readonly handleRefused: OrdinaryRequests['handleRefused'];
}

/** For the ends of the connections, which the broker must confirm. */
const CONFIRM_MS = 5_000;
const DETAILS = {
  ok: 'The gateway serves chargers.',
  failing: 'The gateway starts or stops: new connections of chargers are rejected.',
};
const HTTPS_REQUIRED: Rejection = { status: 403, reason: 'https_required' };

/** Terminates charger websockets: parses, validates, publishes, answers. It has no business rule and no database. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { broker, clock, logger, settings } = deps;
  let serving = false;
  let draining: Promise<void> | undefined;
  const isDraining = (): boolean => draining !== undefined;
  // From the signal on: load balancers send no charger here, so the other gateways must not close connections for the balance.
  const isStopping = (): boolean => isDraining() || deps.stopRequested?.() === true;
  const isAccepting = (): boolean => serving && !isDraining();
  const parts = createParts(deps, { isStopping, isAccepting: () => isAccepting() && broker.ready() });
  const { registry, publisher, lease, decisions, liveness, refusedCalls, traffic, trail, upgrades } = parts;
  const authorizationTerms = createAuthorizationTerms(broker, registry);
  const { maxConnections } = settings;
  const leaseMs = settings.gatewayLeaseS * 1000;
  const rebalancer =
    settings.rebalance === 'on'
      ? createRebalancer({ broker, clock, logger, registry, leaseMs, gatewayId: lease.gatewayId, isStopping })
      : undefined;
  observeGateway(deps.metrics, { registry, publisher, pending: upgrades.pending, maxConnections, isDraining, traffic });

  const drain = (): Promise<void> => {
    if (!serving) return Promise.resolve();
    if (draining !== undefined) return draining;
    const drainMs = settings.drainS * 1000;
    draining = drainSockets([...registry.all()], { clock, drainMs, code: Number(settings.drainCode) });
    lease.renewNow();
    return draining;
  };

  return {
    name: 'ocpp-gateway',
    async start() {
      if (serving) return;
      await broker.declareQueue(channels.reports, settings.partitions);
      await decisions.start();
      await authorizationTerms.start();
      await lease.start();
      await rebalancer?.start();
      for (const each of [liveness, refusedCalls, trail, traffic]) each.start();
      serving = true;
      logger.info({ gatewayId: lease.gatewayId() }, 'ocpp-gateway serves');
    },
    async stop() {
      if (!serving) return;
      await drain();
      await rebalancer?.stop();
      serving = false;
      for (const each of [liveness, refusedCalls, traffic]) each.stop();
      await trail.stop();
      await publisher.drain(CONFIRM_MS);
      publisher.stop();
      await lease.stop();
      await decisions.stop();
      await authorizationTerms.stop();
      parts.server.close();
    },
    // Without the broker too: an unready gateway may lose the sockets that it keeps open in an outage.
    ready: isAccepting,
    drain: { name: 'drain', start: () => Promise.resolve(), stop: drain, ready: isAccepting },
    checks: [{ name: 'gateway', isOk: isAccepting, details: DETAILS }],
    acceptsUpgrade: asksForWebsocket,
    acceptsOnSharedPort: (request) => asksForWebsocket(request) && isChargerPath(request.url ?? ''),
    handleUpgrade(request, socket, head, connection) {
      if (connection.secure) upgrades.handle(request, socket, head, connection);
      else rejectUpgrade(parts.rejection, { request, socket }, connection, HTTPS_REQUIRED);
    },
    handlePlainUpgrade: upgrades.handle,
    counts: () => ({ connections: registry.size(), frames: parts.frames.total() }),
    applyRevocations: parts.revocations.apply,
    ...createOrdinaryRequests({ strict: settings.strict, ...parts.rejection }),
  };
}

function leaseTermsOf({ settings, version = programVersion() }: GatewayDeps): Pick<LeaseDeps, 'leaseMs' | 'version'> {
  return { leaseMs: settings.gatewayLeaseS * 1000, version };
}

interface GatewayState {
  readonly isAccepting: () => boolean;
  readonly isStopping: () => boolean;
}

/** Wires admission, connections, uplink and downlink. Starts nothing. */
function createParts(deps: GatewayDeps, state: GatewayState) {
  const { broker, clock, logger, settings, admissionLimits, throttleLimits } = deps;
  const { partitions, strict, maxConnections } = settings;
  const pingIntervalMs = settings.pingIntervalS * 1000;
  const limits = { ...LIMITS, ...deps.limits };
  const counted = createGatewayMetrics(deps.metrics);
  const metrics = { ...counted, upgrades: createUpgradeResults(counted.upgrades, { clock, logger }) };
  const common = { broker, clock, logger, metrics };

  const registry = createRegistry();
  const backpressure = createBackpressure(registry);
  const revocations = createRevocations(registry, logger);
  const traffic = meterTraffic(deps, counted);

  const publisher = createPublisher({
    ...common,
    partitions,
    limits,
    gatewayId: () => lease.gatewayId(),
    onDeviation: (kind) => metrics.deviations.inc({ kind }),
    onUnsendable: (kind) => metrics.unsendable.inc({ kind }),
    onBackpressure(isOn) {
      backpressure.set(isOn);
      logBackpressure(logger, isOn, publisher.unconfirmed());
    },
  });
  const lease = createLease({
    ...common,
    ...leaseTermsOf(deps),
    load: () => ({ sockets: registry.size(), stopping: state.isStopping() }),
    serve: (gatewayId) => serveCommands(gatewayId, { broker, registry, publisher, logger, tracing: deps.tracing }),
    announce() {
      for (const connection of registry.all()) announceConnected(publisher, connection);
      publisher.retryNow();
    },
    onNewId: () => metrics.newIds.inc({}),
  });
  const decisions = createDecisions(broker, clock);
  const refusedCalls = createRefusedCalls({
    ...common,
    publisher,
    registry,
    longOutageMs: limits.longOutageMs,
    maxChargers: maxConnections,
  });
  const inbound = createInbound({
    ...common,
    publisher,
    decisions,
    strict,
    holdMs: limits.holdMs,
    onRefused: refusedCalls.refused,
    onAccepted: refusedCalls.accepted,
  });

  const connections = withReplays({
    ...common,
    registry,
    publisher,
    inbound,
    backpressure,
    traffic,
    revocations,
    partitions,
    strict,
    pingIntervalMs,
    masker: createMasker(settings.maskKeys),
  });
  const trail = createAttemptTrail(deps, counted);
  const rejection = { clock, metrics, onRejected: trail.rejected, retries: createRetrySchedule(clock) };
  const server = createWebSocketServer(settings.maxFrameBytes);
  const upgrades = createUpgradeHandler({
    ...common,
    ...rejection,
    server,
    partitions,
    strict,
    versions: settings.ocppVersions,
    ...(admissionLimits === undefined ? {} : { admissionLimits }),
    ...(throttleLimits === undefined ? {} : { throttleLimits }),
    maxConnections,
    gatewayId: lease.gatewayId,
    openConnections: registry.size,
    accepting: state.isAccepting,
    onOpen: (socket, admitted) => openConnection(connections, socket, admitted),
  });
  const liveness = createLiveness(registry, clock, logger, pingIntervalMs);
  return {
    frames: metrics.frames,
    registry,
    publisher,
    lease,
    decisions,
    liveness,
    refusedCalls,
    traffic,
    trail,
    revocations,
    server,
    upgrades,
    rejection,
  };
}

function meterTraffic({ clock, logger, settings }: GatewayDeps, metrics: GatewayMetrics): TrafficMeter {
  return createTrafficMeter({
    clock,
    logger,
    metrics,
    limits: { messagesPerS: settings.maxMessagesPerS, bytesPerS: settings.maxBytesPerS },
    warnAtBytes: settings.warnBytesPerDay,
    // Connected chargers, and as many that were connected today.
    maxChargers: 2 * settings.maxConnections,
  });
}

function logBackpressure(logger: Logger, isOn: boolean, unconfirmed: number): void {
  if (isOn) logger.warn({ unconfirmed }, 'too many unconfirmed reports: reading from chargers pauses');
  else logger.info({ unconfirmed }, 'reading from chargers resumes');
}
