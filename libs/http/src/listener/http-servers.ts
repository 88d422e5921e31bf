import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { isIgnoredUpgrade, messageClass } from './ignored-upgrade';
import type { ListenerLimits } from './listener-limits';
import { refuseUnparsable } from './refuse';

export interface HttpHandlers {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Which of the requests that ask for an upgrade are for `onUpgrade`; any other is an ordinary request. */
  readonly takesUpgrade?: (request: IncomingMessage) => boolean;
}

/** How often Node looks for requests that are past their time. */
const TIMEOUT_CHECK_MS = 1_000;

/** Speaks plain HTTP on the sockets that it is handed. */
export function createPlainServer(limits: ListenerLimits, handlers: HttpHandlers): Server {
  return prepare(createHttpServer(serverOptions(limits, handlers)), handlers);
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
  return prepare(server, handlers);
}

function serverOptions(limits: ListenerLimits, { onUpgrade, takesUpgrade = () => true }: HttpHandlers) {
  return {
    IncomingMessage: messageClass(onUpgrade === undefined ? () => false : takesUpgrade),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleKeepAliveMs,
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
  };
}

function prepare<S extends Server>(server: S, { onRequest, onUpgrade }: HttpHandlers): S {
  server.on('request', lastAfterIgnoredUpgrade(onRequest));
  server.on('clientError', refuseUnparsable);
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade);
  // Node arms its time limits when a server listens. These two never do: the door hands them their sockets.
  server.emit('listening');
  return server;
}

/** After a request whose upgrade was ignored its connection ends, and what comes before that end is nobody's. */
function lastAfterIgnoredUpgrade(onRequest: HttpHandlers['onRequest']): HttpHandlers['onRequest'] {
  const ending = new WeakSet<Socket>();
  return (request, response) => {
    if (ending.has(request.socket)) return;
    if (isIgnoredUpgrade(request)) {
      ending.add(request.socket);
      response.shouldKeepAlive = false;
    }
    onRequest(request, response);
  };
}
