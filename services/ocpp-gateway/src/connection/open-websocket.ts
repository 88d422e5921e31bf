// The last step of an upgrade: from a request that was admitted to a websocket.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Completes the handshake with this subprotocol, or without one. A header that ws would refuse is no reason to turn a charger
 * away that has been admitted: what it offered has been read already (`chooseSubprotocol`), with an empty or repeated name in
 * it too, and extensions that cannot be read are extensions that are not used. Returns whether the request was a handshake at
 * all: one that was not is still to be answered.
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
    // With somebody listening ws says what is wrong instead of answering; all of it happens before handleUpgrade returns.
    server.on('wsClientError', onFailed);
    server.handleUpgrade(request, socket, head, onOpen);
    server.off('wsClientError', onFailed);
    return isHandshake;
  };
  if (open()) return true;
  delete headers['sec-websocket-extensions'];
  return open();
}
