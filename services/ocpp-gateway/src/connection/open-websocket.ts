// The last step of an upgrade: completes the handshake of an admitted request.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Completes the handshake with this subprotocol, or without one. A header that ws would reject does not keep an admitted
 * charger out: `chooseSubprotocol` has read its offer, empty or repeated names included, and unreadable extensions are ignored.
 * Returns whether the request was a handshake at all; the caller answers one that was not.
 */
export function openWebsocket(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  subprotocol: string | undefined,
  onOpen: (websocket: WebSocket) => void,
): boolean {
  const { headers } = request;
  if (subprotocol === undefined) delete headers['sec-websocket-protocol'];
  else headers['sec-websocket-protocol'] = subprotocol;
  const open = (): boolean => {
    let isHandshake = true;
    const onFailed = (): void => void (isHandshake = false);
    // With a listener, ws emits the failure instead of answering; all of it happens before handleUpgrade returns.
    server.on('wsClientError', onFailed);
    server.handleUpgrade(request, socket, head, onOpen);
    server.off('wsClientError', onFailed);
    return isHandshake;
  };
  if (open()) return true;
  delete headers['sec-websocket-extensions'];
  return open();
}
