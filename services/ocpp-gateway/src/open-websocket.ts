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
 * it too, and extensions that cannot be read are extensions that are not used. Whatever else is wrong ws answers with 400.
 */
export function openWebsocket(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  subprotocol: string | undefined,
  onOpen: (websocket: WebSocket) => void,
): void {
  const { headers } = request;
  if (subprotocol === undefined) delete headers['sec-websocket-protocol'];
  else headers['sec-websocket-protocol'] = subprotocol;
  const failures: Error[] = [];
  const onFailed = (error: Error): void => void failures.push(error);
  // With somebody listening ws says what is wrong instead of answering; all of it happens before handleUpgrade returns.
  server.on('wsClientError', onFailed);
  server.handleUpgrade(request, socket, head, onOpen);
  server.off('wsClientError', onFailed);
  if (failures.length === 0) return;
  delete headers['sec-websocket-extensions'];
  server.handleUpgrade(request, socket, head, onOpen);
}
