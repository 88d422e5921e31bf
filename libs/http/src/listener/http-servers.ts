import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '@busbar/core';
import { createConnectionOrder } from './connection-order';
import { messageClass } from './ignored-upgrade';
import type { ListenerLimits } from './listener-limits';

export interface HttpHandlers {
  readonly clock: Clock;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** For requests with an unknown expectation. */
  readonly onExpectation: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Upgrades for `onUpgrade`; any other is an ordinary request. */
  readonly acceptsUpgrade?: (request: IncomingMessage) => boolean;
}

/** The interval at which Node looks for requests that have timed out. */
const TIMEOUT_CHECK_MS = 1_000;

/** Speaks plain HTTP on sockets that it is given. */
export function createPlainServer(limits: ListenerLimits, handlers: HttpHandlers): Server {
  return prepare(createHttpServer(serverOptions(limits, handlers)), limits, handlers);
}

/** Speaks TLS on sockets that it is given. With `ca` it requests a client certificate without requiring one. */
export function createSecureServer(
  limits: ListenerLimits,
  handlers: HttpHandlers,
  context: SecureContextOptions,
): HttpsServer {
  const server = createHttpsServer({
    ...serverOptions(limits, handlers),
    ...context,
    handshakeTimeout: limits.handshakeMs,
    requestCert: context.ca !== undefined,
    rejectUnauthorized: false,
  });
  return prepare(server, limits, handlers);
}

function serverOptions(limits: ListenerLimits, { onUpgrade, acceptsUpgrade = () => true }: HttpHandlers) {
  return {
    IncomingMessage: messageClass(onUpgrade === undefined ? () => false : acceptsUpgrade),
    // Node's own rejection has no body, so the listener checks it.
    requireHostHeader: false,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleKeepAliveMs,
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
  };
}

function prepare<S extends Server>(server: S, { stalledMs }: ListenerLimits, handlers: HttpHandlers): S {
  const { clock, onRequest, onExpectation, onUpgrade } = handlers;
  server.timeout = stalledMs;
  const { inOrder, refuseUnparsable } = createConnectionOrder(clock);
  server.on('request', inOrder(onRequest));
  server.on('checkExpectation', inOrder(onExpectation));
  server.on('clientError', refuseUnparsable);
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade);
  // Node starts its time limits when a server listens. These servers get their sockets from the listener.
  server.emit('listening');
  return server;
}
