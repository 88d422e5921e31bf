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
  /** For requests that expect what this server does not know. */
  readonly onExpectation: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Which of the requests that ask for an upgrade are for `onUpgrade`; any other is an ordinary request. */
  readonly acceptsUpgrade?: (request: IncomingMessage) => boolean;
}

/** How often Node looks for requests that are past their time. */
const TIMEOUT_CHECK_MS = 1_000;

/** Speaks plain HTTP on the sockets that it is handed. */
export function createPlainServer(limits: ListenerLimits, handlers: HttpHandlers): Server {
  return prepare(createHttpServer(serverOptions(limits, handlers)), limits, handlers);
}

/** Speaks TLS on the sockets that it is handed. With `ca` a client certificate is asked for, not insisted on. */
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
    // Node's own refusal says nothing: the listener looks itself.
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
  // Node arms its time limits when a server listens. These two never do: the door hands them their sockets.
  server.emit('listening');
  return server;
}
