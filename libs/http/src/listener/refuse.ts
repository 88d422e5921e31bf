// Answers of the listener itself: to what never becomes a request of an app.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createId } from '@busbar/core';
import { requestIdFrom } from '../request-id';

const MESSAGE = 'Use HTTPS. A key that was sent over plain HTTP should be replaced.';

/** 403 `https_required` to an ordinary request on a port that is for websockets alone, readable by both generations. */
export function refuseInsecure(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const body = { code: 'https_required', errorCode: 'https_required', status: 403, message: MESSAGE, requestId };
  response.writeHead(403, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}

/** What Node's parser refuses; anything else on a connection (a failed handshake, a reset) is no request. */
const BY_ERROR: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A bare answer to what could not be parsed as a request, and the end of its connection. */
export function refuseUnparsable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const code = error.code ?? '';
  const status = BY_ERROR[code] ?? (code.startsWith('HPE_') ? '400 Bad Request' : undefined);
  if (status === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const head = [`HTTP/1.1 ${status}`, 'Connection: close', 'Content-Length: 0', `X-Request-Id: ${createId()}`];
  socket.end(`${head.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}
