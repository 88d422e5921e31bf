// The HTTP response that rejects an upgrade.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import { endSocket, requestIdFrom } from '@busbar/http';

export interface Rejection {
  readonly status: keyof typeof REASONS;
  readonly reason: string;
  /** Charger-state knows the identity or not. Absent where it did not check the attempt. */
  readonly charger?: 'known' | 'unknown';
  /** Sent as Retry-After. Absent in a 503: some seconds at random. */
  readonly retryAfterMs?: number;
}

const REASONS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;

/** Random, so that rejected chargers do not retry at the same moment. */
const RETRY_AFTER_S = { min: 5, max: 15 };

/** Writes an HTTP response on the raw socket and ends it, by force after 2 s. Returns the request id. */
export function writeRejection(
  socket: Duplex,
  request: Pick<IncomingMessage, 'headers'>,
  rejection: Rejection,
  clock: Clock,
): string {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const { status, reason } = rejection;
  const body = JSON.stringify({ code: reason, requestId });
  endSocket(
    socket,
    `HTTP/1.1 ${String(status)} ${REASONS[status]}\r\n${headerOf(rejection)}Content-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
    clock,
  );
  return requestId;
}

function headerOf({ status, reason, retryAfterMs }: Rejection): string {
  // RFC 6455, 4.4: the response names the supported version.
  if (reason === 'invalid_handshake') return 'Sec-WebSocket-Version: 13\r\n';
  if (status === 401) return 'WWW-Authenticate: Basic realm="ocpp", charset="UTF-8"\r\n';
  if (retryAfterMs !== undefined) return `Retry-After: ${String(Math.max(1, Math.ceil(retryAfterMs / 1000)))}\r\n`;
  return status === 503 ? `Retry-After: ${String(someSeconds())}\r\n` : '';
}

function someSeconds(): number {
  const { min, max } = RETRY_AFTER_S;
  return min + Math.floor(Math.random() * (max - min + 1));
}
