// The public port. With certificate files it speaks TLS, and responds to plain HTTP on the same port with an error. Without them it
// is a plain port behind a proxy.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { AppError, type Clock, type Logger, type Service, type Timer } from '@busbar/core';
import { createProxyTrust, isSecure, type ProxyTrust } from '../routing/policy/https-only';
import { peerOf, type Peer } from '../limits/peer';
import { requestIdFrom } from '../routing/request/request-id';
import { bind, type BoundAddress } from './bind';
import { descriptorLimit, socketsWithin } from './descriptors';
import { endSocket } from './end-socket';
import { logFailedHandshakes } from './failed-handshakes';
import { sortByFirstByte } from './first-byte';
import { createPlainServer, createSecureServer, type HttpHandlers } from './http-servers';
import { DEFAULT_LIMITS, type ListenerLimits } from './listener-limits';
import { createOpenSockets, type OpenSockets } from './open-sockets';
import {
  HTTPS_REQUIRED,
  refusalText,
  refuse,
  TOO_MANY_SOCKETS,
  UNMET_EXPECTATION,
  WITHOUT_HOST,
  type Refusal,
} from './refuse';
import { createRequestsInFlight, type RequestsInFlight } from './requests-in-flight';
import { revocationsOf, type RevocationCheck } from './revocations';
import { createSocketGuard, type SocketGuard } from './socket-guard';
import { certificateEnd, readTlsFiles, watchTlsFiles, type TlsFiles } from './tls-files';

/** The connection of an upgrade request. */
export interface UpgradeConnection extends Peer {
  /** The client sent it over TLS (`isSecure`). */
  readonly secure: boolean;
  /** Call it when a charger is admitted: its socket no longer counts for its address. */
  readonly admitted: () => void;
}

export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  connection: UpgradeConnection,
) => void;

/** A request or upgrade that the listener itself rejected. */
export interface RefusedRequest {
  /** The `code` of the response. */
  readonly code: string;
  readonly requestId: string;
  readonly from: Pick<Peer, 'address'>;
}

export interface ListenerOptions {
  readonly name?: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absent: a plain port behind a proxy that ends TLS. */
  readonly tls?: TlsFiles | undefined;
  /** Called with the revocation lists of `tls.clientCaFile`, at the start and after each change of the files. */
  readonly onRevocations?: (isRevoked: RevocationCheck) => void;
  /** Called with the end of the certificate, at the start and after each change of the files. */
  readonly onCertificate?: (endsAt: Date) => void;
  readonly trustedProxies: readonly string[];
  /** Rejects every request but upgrades with 403 `https_required`. */
  readonly plainWebsocketsOnly?: boolean;
  /** The variable that sets the port. Default `PORT`. */
  readonly portVariable?: string;
  /** The variable that sets `host`. Default: HOST. */
  readonly hostVariable?: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly limits?: Partial<ListenerLimits>;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called after the listener has rejected a valid request. */
  readonly onRefused?: (request: IncomingMessage, refused: RefusedRequest) => void;
  /** Absent: an upgrade is an ordinary request. The handler owns the socket, also when the listener stops. */
  readonly onUpgrade?: UpgradeHandler;
  /** Upgrades for `onUpgrade`; any other is an ordinary request. Default: all. */
  readonly acceptsUpgrade?: (request: IncomingMessage) => boolean;
}

export interface Listener extends Service {
  /** The bound address. Throws before `start` resolved. */
  address(): BoundAddress;
  /** Open sockets, upgraded ones included. */
  sockets(): number;
}

/**
 * `start` rejects with `unavailable` for a port in use, and with `invalid_configuration` for an unreadable certificate or a wrong
 * address. `stop` accepts no connections, ends idle ones, waits for requests in flight and closes the rest.
 */
export function createListener(options: ListenerOptions): Listener {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const inFlight = createRequestsInFlight();
  const sockets = createOpenSockets();
  const isTrustedProxy = createProxyTrust(options.trustedProxies);
  const guard = guardOf(options, limits, isTrustedProxy);
  const door = createServer({ noDelay: true, keepAlive: true });
  let servers: Servers | undefined;
  let bound: BoundAddress | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const start = async (): Promise<void> => {
    const opened = openServers(options, limits, handlersOf(options, { inFlight, sockets, guard, isTrustedProxy }));
    servers = opened;
    guard.start();
    door.on('connection', (socket) => {
      if (!guard.accept(socket)) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      opened.take(socket);
    });
    const { portVariable = 'PORT', hostVariable = 'HOST' } = options;
    bound = await bind(door, { ...options, portVariable, hostVariable });
    door.on('error', (error) => options.logger.error({ err: error }, 'public port failed'));
  };

  const stop = async (): Promise<void> => {
    await starting?.catch(() => undefined);
    if (door.listening) door.close();
    guard.stop();
    servers?.closeIdle();
    await inFlight.drain(limits.stopMs);
    sockets.destroyAll();
    servers?.end();
  };

  return {
    name: options.name ?? 'listener',
    start: () => (stopping === undefined ? (starting ??= start()) : Promise.resolve()),
    stop: () => (stopping ??= stop()),
    ready: () => bound !== undefined && stopping === undefined,
    address() {
      if (bound === undefined) throw new AppError('unavailable', 'The listener has not been started.');
      return bound;
    },
    sockets: guard.open,
  };
}

function guardOf(options: ListenerOptions, limits: ListenerLimits, isTrustedProxy: ProxyTrust): SocketGuard {
  const { name = 'listener', clock, logger } = options;
  const descriptors = limits.descriptors ?? descriptorLimit() ?? Infinity;
  const maxSockets = Math.min(limits.connections, socketsWithin(descriptors));
  // One address must not use all sockets.
  const maxPerAddress = Math.min(limits.socketsPerAddress, Math.ceil(maxSockets / 2));
  return createSocketGuard({ name, maxSockets, maxPerAddress, isTrustedProxy, clock, logger });
}

interface Servers {
  take(socket: Socket): void;
  closeIdle(): void;
  end(): void;
}

function openServers(options: ListenerOptions, limits: ListenerLimits, handlers: HttpHandlers): Servers {
  const files = options.tls;
  // First, since it may fail.
  const context = files === undefined ? undefined : readTlsFiles(files);
  const plain = createPlainServer(limits, handlers);
  if (files === undefined || context === undefined) return serversOf([plain], handTo(plain));
  const secure = createSecureServer(limits, handlers, context);
  secure.on('tlsClientError', logFailedHandshakes(options));
  const to = { tls: handTo(secure), plain: handTo(plain) };
  const announce = (read: SecureContextOptions): void => {
    options.onRevocations?.(revocationsOf(read));
    options.onCertificate?.(certificateEnd(read));
  };
  const watch = watchTlsFiles({
    ...options,
    files,
    current: context,
    onChange(next) {
      secure.setSecureContext(next);
      announce(next);
    },
  });
  announce(context);
  return serversOf([plain, secure], (socket) => sortByFirstByte(socket, limits.handshakeMs, to), watch);
}

function serversOf(servers: readonly Server[], take: (socket: Socket) => void, watch?: Timer): Servers {
  return {
    take,
    closeIdle: () => servers.forEach((server) => server.closeIdleConnections()),
    end() {
      watch?.cancel();
      // Ends Node's own timers. The callback gets an error, since these servers never listened.
      for (const server of servers) server.close(() => undefined);
    },
  };
}

function handTo(server: Server): (socket: Socket) => void {
  return (socket) => void server.emit('connection', socket);
}

interface Parts {
  readonly inFlight: RequestsInFlight;
  readonly sockets: OpenSockets;
  readonly guard: SocketGuard;
  readonly isTrustedProxy: ProxyTrust;
}

function handlersOf(options: ListenerOptions, { inFlight, sockets, guard, isTrustedProxy }: Parts): HttpHandlers {
  const { onUpgrade, onRefused, acceptsUpgrade } = options;

  function respond(request: IncomingMessage, response: ServerResponse, refusal: Refusal | undefined): void {
    inFlight.add(response);
    // Plain HTTP is rejected first: by the app, or here where there is none.
    const first = options.plainWebsocketsOnly === true ? HTTPS_REQUIRED : refusal;
    if (first === HTTPS_REQUIRED || (first !== undefined && isSecure(request, isTrustedProxy))) {
      const requestId = refuse(request, response, first);
      onRefused?.(request, { code: first.code, requestId, from: peerOf(request, isTrustedProxy) });
    } else options.onRequest(request, response);
  }

  return {
    clock: options.clock,
    onRequest: (request, response) => respond(request, response, hasOneHost(request) ? undefined : WITHOUT_HOST),
    onExpectation: (request, response) => respond(request, response, UNMET_EXPECTATION),
    ...(acceptsUpgrade === undefined ? {} : { acceptsUpgrade }),
    ...(onUpgrade === undefined
      ? {}
      : {
          onUpgrade(request, socket, head) {
            sockets.release(request.socket);
            const peer = peerOf(request, isTrustedProxy);
            const isForwarded = peer.address !== undefined && isTrustedProxy(request.socket.remoteAddress);
            if (isForwarded && !guard.acceptForwarded(request.socket, peer.address)) {
              const requestId = requestIdFrom(request.headers['x-request-id']);
              endSocket(socket, refusalText(TOO_MANY_SOCKETS, requestId), options.clock);
              onRefused?.(request, { code: TOO_MANY_SOCKETS.code, requestId, from: peer });
              return;
            }
            const secure = isSecure(request, isTrustedProxy);
            const admitted = (): void => guard.admitted(request.socket);
            onUpgrade(request, socket, head, { secure, admitted, ...peer });
          },
        }),
  };
}

/** HTTP/1.1 requires exactly one (RFC 9112 clause 3.2). `headersDistinct` would copy all headers of every request. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1') return true;
  let hosts = 0;
  // Names are at even places, values between them.
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}
