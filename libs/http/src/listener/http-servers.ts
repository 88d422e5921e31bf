import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { ListenerLimits } from './listener-limits';
import { refuseUnparsable } from './refuse';

export interface HttpHandlers {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** How often Node looks for requests that are past their time. */
const TIMEOUT_CHECK_MS = 1_000;

/** Speaks plain HTTP on the sockets that it is handed. */
export function createPlainServer(limits: ListenerLimits, handlers: HttpHandlers): Server {
  return prepare(createHttpServer(serverOptions(limits)), handlers);
}

/** Speaks TLS on the sockets that it is handed. With `ca` a client certificate is asked for, not insisted on. */
export function createSecureServer(
  limits: ListenerLimits,
  handlers: HttpHandlers,
  context: SecureContextOptions,
): HttpsServer {
  const server = createHttpsServer({
    ...serverOptions(limits),
    ...context,
    handshakeTimeout: limits.handshakeMs,
    requestCert: context.ca !== undefined,
    rejectUnauthorized: false,
  });
  return prepare(server, handlers);
}

function serverOptions(limits: ListenerLimits) {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleKeepAliveMs,
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
  };
}

function prepare<S extends Server>(server: S, { onRequest, onUpgrade }: HttpHandlers): S {
  server.on('request', onRequest);
  server.on('clientError', refuseUnparsable);
  // Without a taker nobody listens, and Node takes a request to upgrade for the ordinary request that it is as well.
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade);
  // Node arms its time limits when a server listens. These two never do: the door hands them their sockets.
  server.emit('listening');
  return server;
}
