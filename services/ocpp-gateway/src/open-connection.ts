// Opens and ends connections: registers them, reads their sockets and announces them to charger-state.
import { randomUUID } from 'node:crypto';
import { partitionOf, type Compatibility, type ConnectionEvent } from '@busbar/contracts';
import { createId, type Clock, type Logger } from '@busbar/core';
import {
  createCallQueue,
  createReplay,
  protocolOf,
  serializeResultError,
  STRICT,
  TOLERANT,
  type CallQueueOptions,
  type Masker,
  type Protocol,
} from '@busbar/ocpp';
import { errnoOf } from '@busbar/runtime';
import type { RawData, WebSocket } from 'ws';
import { clientAuthorizationOf } from './connection/client-authorization';
import type { Connection } from './connection/connection';
import type { GatewayMetrics } from './gateway-metrics';
import type { Inbound } from './uplink/inbound';
import { markAlive } from './connection/liveness';
import { closeSocket } from './connection/close';
import { endByCharger, endByError, type ConnectionEnd } from './connection/close-reason';
import type { Backpressure } from './uplink/backpressure';
import type { Publisher } from './uplink/publisher';
import { pauseForDebt } from './connection/reading';
import type { Registry } from './connection/registry';
import { createReplayArchive, type ReplayArchive } from './connection/replay-archive';
import type { Revocations } from './connection/revocations';
import type { Admitted } from './admission/open-admitted';
import type { TrafficMeter } from './connection/traffic';

export interface ConnectionsDeps {
  readonly registry: Registry;
  readonly publisher: Publisher;
  readonly inbound: Inbound;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly partitions: number;
  readonly pingIntervalMs: number;
  readonly strict: boolean;
  readonly traffic: TrafficMeter;
  readonly masker: Masker;
  readonly metrics: Pick<GatewayMetrics, 'closed' | 'rateLimited'>;
  readonly backpressure: Backpressure;
  readonly revocations: Pick<Revocations, 'inspect'>;
  readonly replays: ReplayArchive;
}

/** Adds the answers of closed connections. */
export function withReplays(deps: Omit<ConnectionsDeps, 'replays'>): ConnectionsDeps {
  return { ...deps, replays: createReplayArchive(deps.clock) };
}

/** CALLs of ours that may wait behind the one in flight, and for how long. */
const MAX_QUEUED_CALLS = 20;
const MAX_WAIT_MS = 60_000;

/** Takes an accepted websocket into service: registers, announces and reads it. */
export function openConnection(deps: ConnectionsDeps, socket: WebSocket, admitted: Admitted): void {
  const { registry, logger } = deps;
  const present = registry.get(admitted.chargerId);
  // The close of a half-open socket may come much later than the charger's repeats on this one.
  if (present !== undefined && present.order <= admitted.acceptance.order) archiveReplay(deps, present);
  const connection = createConnection(deps, socket, admitted);
  const replaced = registry.add(connection);
  const { chargerId, connectionId } = connection;
  listen(deps, connection);
  if (replaced === connection) {
    closeSocket(connection, 1000, 'replaced');
    return;
  }
  logger.info({ chargerId, connectionId, version: connection.version, peer: connection.peer }, 'a charger connected');
  announceConnected(deps.publisher, connection);
  deps.backpressure.join(connection);
  limitRate(deps, connection, connection.traffic.debtMs());
  deps.revocations.inspect(connection);
  if (replaced !== undefined) {
    logger.info({ chargerId, connectionId: replaced.connectionId, by: connectionId }, 'replaced by a newer connection');
    closeSocket(replaced, 1000, 'replaced');
  }
}

/** Announces that this connection is open, unless the same announcement still waits for the broker. */
export function announceConnected(publisher: Pick<Publisher, 'publish' | 'gatewayId'>, connection: Connection): void {
  const gatewayId = publisher.gatewayId();
  if (connection.announcedAs === gatewayId) return;
  connection.announcedAs = gatewayId;
  const { deviations } = connection;
  const first = connection.seq === 0;
  const common = { action: '', messageId: '', payload: connectionEvent(connection), raw: '' };
  const fields = first && deviations.length > 0 ? { ...common, deviations } : common;
  publisher.publish(connection, 'connected', fields, () => {
    if (connection.announcedAs === gatewayId) connection.announcedAs = undefined;
  });
}

function createConnection(deps: ConnectionsDeps, socket: WebSocket, admitted: Admitted): Connection {
  const { acceptance, chargerId, version } = admitted;
  const protocol = requireProtocol(version);
  const tolerance = deps.strict ? STRICT : toleranceOf(acceptance.compatibility);
  const connection: Connection = {
    chargerId,
    incarnationId: acceptance.incarnationId,
    connectionId: admitted.connectionId,
    order: acceptance.order,
    version,
    protocol,
    partition: partitionOf(chargerId, deps.partitions),
    compatibility: acceptance.compatibility,
    deviations: admitted.deviations,
    peer: admitted.peer,
    securityProfile: acceptance.securityProfile,
    connectedAt: deps.clock.now(),
    certificate: admitted.certificate,
    socket,
    replay: createReplay(undefined, protocol.rpc.hasSend ? deps.replays.take(acceptance) : undefined),
    calls: createCallQueue({
      clock: deps.clock,
      send(text) {
        if (socket.readyState !== socket.OPEN) throw new Error('the socket is not open');
        socket.send(text);
        connection.sentAfter = connection.seq;
        noteSolicited(connection);
      },
      mintId: protocol.rpc.hasUuids ? randomUUID : createId,
      onInvalidAnswer:
        protocol.rpc.hasSend && acceptance.compatibility.noCallResultError !== true
          ? refuseResult(socket, protocol)
          : undefined,
      protocol,
      tolerance,
      maxWaiting: MAX_QUEUED_CALLS,
      maxWaitMs: MAX_WAIT_MS,
    }),
    transactions: acceptance.transactions && new Set(acceptance.transactions),
    seq: 0,
    announcedAs: undefined,
    sentAfter: 0,
    answers: [],
    authorization: clientAuthorizationOf(acceptance),
    awaitingVerdict: undefined,
    lastResult: '',
    // An older charger-state does not say it.
    boot: acceptance.bootStatus ?? 'accepted',
    solicited: new Set(acceptance.solicited),
    badFramesInARow: 0,
    paused: false,
    rateLimited: false,
    backpressured: false,
    traffic: deps.traffic.of(chargerId),
    masker: deps.masker,
    liveness: { nextPingMs: deps.clock.monotonicMs() + deps.pingIntervalMs, awaitingPong: false },
    end: undefined,
    closed: false,
  };
  return connection;
}

/** Actions are names of the version's table, so their number is bounded. */
function noteSolicited({ protocol, calls, solicited }: Connection): void {
  const call = calls.pending();
  const action = call && protocol.solicitedBy(call);
  if (action !== undefined && protocol.actions.has(action)) solicited.add(action);
}

/** Refuses a CALLRESULT of the charger that does not fit its schema (rule 117). */
function refuseResult(socket: WebSocket, { errorCodes }: Protocol): CallQueueOptions['onInvalidAnswer'] {
  return (id, { situation, description }) => {
    const code = errorCodes[situation];
    if (code !== undefined && socket.readyState === socket.OPEN) {
      socket.send(serializeResultError(id, code, description));
    }
  };
}

function listen(deps: ConnectionsDeps, connection: Connection): void {
  const { socket } = connection;
  socket.on('message', (data: RawData, isBinary: boolean) => {
    markAlive(connection);
    // A frame behind our close gets no answer, so it is not processed either: the charger still has it.
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary) {
      closeSocket(connection, 1003, 'text frames only');
      return;
    }
    const text = textOf(data);
    deps.inbound.receive(connection, text);
    limitRate(deps, connection, connection.traffic.take(Buffer.byteLength(text)));
  });
  socket.on('pong', () => markAlive(connection));
  socket.on('ping', (data: Buffer) => {
    markAlive(connection);
    limitRate(deps, connection, connection.traffic.take(data.length));
  });
  // ws closes the socket itself, with 1002, 1007 or 1009.
  socket.on('error', (error) => {
    deps.logger.debug({ err: error, chargerId: connection.chargerId }, 'a socket failed');
    connection.end ??= endByError(errnoOf(error));
  });
  socket.on('close', (code, reason) => endConnection(deps, connection, endByCharger(code, reason.toString('utf8'))));
}

function limitRate({ clock, logger, metrics }: ConnectionsDeps, connection: Connection, debtMs: number): void {
  if (debtMs === 0 || connection.rateLimited) return;
  const { chargerId, connectionId } = connection;
  logger.debug({ chargerId, connectionId, debtMs }, 'a charger exceeds its rate limit; reading from its socket pauses');
  metrics.rateLimited.inc({});
  pauseForDebt(connection, clock, debtMs);
}

/** `received`: the close frame of the charger, or that there was none. The gateway's own action before it is the cause. */
function endConnection(deps: ConnectionsDeps, connection: Connection, received: ConnectionEnd): void {
  if (connection.closed) return;
  connection.closed = true;
  // The replay memory of a connection that was replaced has been archived, and may be in use.
  if (deps.registry.remove(connection)) archiveReplay(deps, connection);
  deps.backpressure.leave(connection);
  deps.inbound.ended(connection);
  const end = connection.end ?? received;
  logEnd(deps, connection, end);
  deps.metrics.closed.inc({ reason: end.cause });
  connection.calls.close();
  const fields = { action: '', messageId: '', payload: connectionEvent(connection, end), raw: '' };
  deps.publisher.publish(connection, 'disconnected', fields, () => undefined);
}

function archiveReplay({ replays }: ConnectionsDeps, connection: Connection): void {
  if (connection.protocol.rpc.hasSend) replays.put(connection);
}

function logEnd({ clock, logger }: ConnectionsDeps, connection: Connection, { code, reason }: ConnectionEnd): void {
  const { chargerId, connectionId, connectedAt } = connection;
  const durationS = Math.round((clock.now().getTime() - connectedAt.getTime()) / 1000);
  const fields = { chargerId, connectionId, closeCode: code, closeReason: reason, durationS };
  logger.info(fields, 'a charger disconnected');
}

function connectionEvent({ connectedAt, peer, securityProfile }: Connection, end?: ConnectionEnd): ConnectionEvent {
  return {
    connectedAt: connectedAt.toISOString(),
    remoteAddress: peer === '' ? null : peer,
    securityProfile: securityProfile ?? null,
    closeCode: end?.code ?? null,
    closeReason: end?.reason ?? null,
  };
}

function requireProtocol(version: string): Protocol {
  const protocol = protocolOf(version);
  // Only versions that the build speaks can be configured, and only configured ones are chosen.
  if (protocol === undefined) throw new Error(`this build has no protocol ${version}`);
  return protocol;
}

function toleranceOf(compatibility: Compatibility) {
  return { ...TOLERANT, ...compatibility };
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data).toString('utf8');
}
