import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { Clock, Logger, Service } from '@busbar/core';
import type { RevocationCheck, UpgradeConnection } from '@busbar/http';
import type { Metrics } from '@busbar/runtime';
import { createMasker } from '@busbar/ocpp';
import { WebSocketServer } from 'ws';
import { createAttemptTrail } from './admission/attempt-trail';
import { closeAll } from './connection/close-all';
import type { GatewaySettings } from './config';
import { openConnection, announceConnected, type ConnectionsDeps } from './connection/connections';
import { createDecisions } from './uplink/decisions';
import { createGatewayMetrics, observeGateway, type GatewayMetrics } from './gateway-metrics';
import { asksForWebsocket, isChargerPath } from './admission/handshake';
import { createInbound } from './uplink/inbound';
import { createLease } from './downlink/lease';
import { LIMITS, type GatewayLimits } from './limits';
import { createLiveness } from './connection/liveness';
import type { ThrottleLimits } from './admission/login-throttle';
import { createOrdinaryRequests, type OrdinaryRequests } from './admission/ordinary-requests';
import { CLOSE_WITHIN_MS, serveOutbound } from './downlink/commands';
import { createPressure } from './uplink/backpressure';
import { createPublisher, type Publisher, type PublisherDeps } from './uplink/publisher';
import { createRefusals } from './downlink/rejected-calls';
import type { Refusal } from './admission/refusal';
import { rejectUpgrade } from './admission/reject-upgrade';
import { createRegistry, type Registry } from './connection/registry';
import type { TurnLimits } from './admission/admission-limiter';
import { createRevocations } from './connection/revocations';
import { createTrafficMeter, type TrafficMeter } from './connection/traffic';
import { createUpgradeLog } from './admission/upgrade-log';
import { createUpgradeHandler } from './admission/upgrade';

export interface GatewayDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: GatewaySettings;
  /** How many admissions are asked for at once, and how many wait; what is left out as it is meant to be. */
  readonly admissionLimits?: Partial<TurnLimits>;
  /** What slows guessing; absent: as it is meant to be. */
  readonly throttleLimits?: ThrottleLimits;
  /** How much is held and for how long; what is left out as it is meant to be. */
  readonly limits?: Partial<GatewayLimits>;
}

export type AcceptUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  connection: UpgradeConnection,
) => void;

export interface Gateway extends Service {
  /** Which upgrades of a port of its own are for it: those to a websocket, a wrong address is told so too. */
  readonly acceptsUpgrade: (request: IncomingMessage) => boolean;
  /** The same on a port that serves others too: websockets at `/ocpp`. */
  readonly acceptsOnSharedPort: (request: IncomingMessage) => boolean;
  /** For upgrades on `/ocpp/…` of the public port, where what did not come over TLS is refused. */
  readonly handleUpgrade: AcceptUpgrade;
  /** For upgrades on a port that is meant for plain ws too. */
  readonly handlePlainUpgrade: AcceptUpgrade;
  /** Closes connections whose client certificate is revoked, now and from now on. */
  readonly applyRevocations: (isRevoked: RevocationCheck) => void;
  /** For requests that are no upgrade to a websocket on `/ocpp/…`; elsewhere there is nothing. */
  readonly handleRequest: OrdinaryRequests['handleRequest'];
  /** For what the listener has refused itself: upgrades, and requests at a charger's address. */
  readonly handleRefused: OrdinaryRequests['handleRefused'];
}

/** Frames larger than this are worth compressing; below it the header costs more. */
const DEFLATE_FROM_BYTES = 1024;
/** Calls in flight at a stop get this long; sockets are then closed. */
const FINISH_MS = 3_000;
const DRAIN_MS = 5_000;
const HTTPS_REQUIRED: Refusal = { status: 403, reason: 'https_required' };

/** Ends charger websockets. Holds no business rule and no database: parses, validates, publishes, answers. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { broker, clock, logger, settings } = deps;
  const counted = createGatewayMetrics(deps.metrics);
  const metrics = { ...counted, upgrades: createUpgradeLog(counted.upgrades, { clock, logger }) };
  const limits = { ...LIMITS, ...deps.limits };
  const registry = createRegistry();
  const [pressure, revocations] = [createPressure(registry), createRevocations(registry, logger)];
  let serving = false;

  const publisher = createPublisher({
    broker,
    clock,
    logger,
    partitions: settings.partitions,
    limits,
    gatewayId: () => lease.gatewayId(),
    ...countersOf(counted),
    onPressure(tooMuch) {
      pressure.set(tooMuch);
      onPressureChange(logger, tooMuch, publisher.unconfirmed());
    },
  });
  const lease = createLease({
    broker,
    clock,
    logger,
    leaseMs: settings.gatewayLeaseS * 1000,
    serve: (gatewayId) => serveOutbound(gatewayId, { broker, registry, publisher, logger }),
    announce() {
      for (const connection of registry.all()) announceConnected(publisher, connection);
      publisher.retryNow();
    },
    onNewId: () => metrics.newIds.inc({}),
  });
  const decisions = createDecisions(broker, clock);
  const { longOutageMs, holdMs } = limits;
  const { partitions, strict, maxConnections: maxChargers } = settings;
  const refusals = createRefusals({ broker, publisher, registry, clock, logger, metrics, longOutageMs, maxChargers });
  const inbound = createInbound({
    ...{ publisher, decisions, clock, logger, metrics },
    strict: settings.strict,
    holdMs,
    onRefused: refusals.refused,
    onTaken: refusals.taken,
  });
  const trail = createAttemptTrail(deps, counted);
  const pingIntervalMs = settings.pingIntervalS * 1000;
  const traffic = meterTraffic(deps, counted);
  const liveness = createLiveness(registry, clock, logger, pingIntervalMs);
  const connections: ConnectionsDeps = {
    ...{ registry, publisher, inbound, clock, logger, metrics },
    ...{ partitions, pingIntervalMs, strict, pressure, traffic, revocations },
    masker: createMasker(settings.maskKeys),
  };
  const server = createWebSocketServer(settings.maxFrameBytes);
  const upgrades = createUpgradeHandler({
    ...{ broker, clock, logger, metrics, server, partitions, strict, onRejected: trail.rejected },
    versions: settings.ocppVersions,
    ...(deps.admissionLimits === undefined ? {} : { admissionLimits: deps.admissionLimits }),
    ...(deps.throttleLimits === undefined ? {} : { throttleLimits: deps.throttleLimits }),
    maxConnections: settings.maxConnections,
    gatewayId: lease.gatewayId,
    openConnections: registry.size,
    accepting: () => serving && broker.ready(),
    onOpen: (socket, admitted) => openConnection(connections, socket, admitted),
  });
  observeGateway(deps.metrics, { registry, publisher, pending: upgrades.pending, traffic });

  return {
    name: 'ocpp-gateway',
    async start() {
      if (serving) return;
      await broker.declareQueue(channels.reports, settings.partitions);
      await decisions.start();
      await lease.start();
      for (const each of [liveness, refusals, trail, traffic]) each.start();
      serving = true;
      logger.info({ gatewayId: lease.gatewayId() }, 'ocpp-gateway serves');
    },
    async stop() {
      if (!serving) return;
      serving = false;
      for (const each of [liveness, refusals, traffic]) each.stop();
      await trail.stop();
      await leave({ registry, publisher, clock });
      await lease.stop();
      await decisions.stop();
      server.close();
    },
    ready: () => serving && broker.ready(),
    acceptsUpgrade: asksForWebsocket,
    acceptsOnSharedPort: (request) => asksForWebsocket(request) && isChargerPath(request.url ?? ''),
    handleUpgrade(request, socket, head, connection) {
      if (connection.secure) upgrades.handle(request, socket, head, connection);
      else
        rejectUpgrade({ clock, metrics, onRejected: trail.rejected }, { request, socket }, connection, HTTPS_REQUIRED);
    },
    handlePlainUpgrade: upgrades.handle,
    applyRevocations: revocations.apply,
    ...createOrdinaryRequests({ strict, metrics, onRejected: trail.rejected }),
  };
}

function meterTraffic({ clock, logger, settings }: GatewayDeps, metrics: GatewayMetrics): TrafficMeter {
  return createTrafficMeter({
    ...{ clock, logger, metrics },
    limits: { messagesPerS: settings.maxMessagesPerS, bytesPerS: settings.maxBytesPerS },
    warnAtBytes: settings.warnBytesPerDay,
    // Those that are connected, and as many that were.
    maxChargers: 2 * settings.maxConnections,
  });
}

function onPressureChange(logger: Logger, tooMuch: boolean, unconfirmed: number): void {
  if (tooMuch) logger.warn({ unconfirmed }, 'too much is unconfirmed: reading from chargers is held');
  else logger.info({ unconfirmed }, 'reading from chargers goes on');
}

function countersOf({ deviations, unsendable }: GatewayMetrics): Pick<PublisherDeps, 'onDeviation' | 'onUnsendable'> {
  return { onDeviation: (kind) => deviations.inc({ kind }), onUnsendable: (kind) => unsendable.inc({ kind }) };
}

function createWebSocketServer(maxFrameBytes: number): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    // Of the inflated frame (rules 19 and 22): a small frame that inflates beyond it closes its socket with 1009.
    maxPayload: maxFrameBytes,
    // A frame that comes in ever smaller pieces costs more than its bytes: beyond these its socket closes with 1008.
    maxFragments: 4_096,
    maxBufferedChunks: 8_192,
    perMessageDeflate: {
      threshold: DEFLATE_FROM_BYTES,
      // No window is kept between frames: a few kilobytes for each of very many idle sockets.
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      concurrencyLimit: 4,
    },
    // A charger that has said goodbye and leaves TCP open is gone: by ws's default it would be shown connected for 30 s.
    // Its type lacks this option.
    closeTimeout: CLOSE_WITHIN_MS,
  };
  return new WebSocketServer(options);
}

/** In order: answers that are under way leave, sockets close, and their ends are told and confirmed. */
async function leave(parts: { registry: Registry; publisher: Publisher; clock: Clock }): Promise<void> {
  await finishCalls(parts.registry, parts.clock);
  await closeAll([...parts.registry.all()], parts.clock);
  await parts.publisher.drain(DRAIN_MS);
  parts.publisher.stop();
}

/** Answers that are under way get a moment to leave. */
async function finishCalls(registry: Registry, clock: Clock): Promise<void> {
  const end = clock.monotonicMs() + FINISH_MS;
  const busy = (): boolean => [...registry.all()].some((connection) => connection.answers.length > 0);
  while (busy() && clock.monotonicMs() < end) await pause(clock, 20);
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
