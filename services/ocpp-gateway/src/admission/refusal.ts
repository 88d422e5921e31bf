// The HTTP answer to an upgrade that is not taken.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import { endSocket, requestIdFrom } from '@busbar/http';

export interface Refusal {
  readonly status: keyof typeof REASONS;
  readonly reason: string;
  /** What charger-state said of the identity; absent where it did not judge the attempt. */
  readonly charger?: 'known' | 'unknown';
  /** When to come again; of a 503 some seconds, when absent. */
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

/** Chargers that were told to come again should not all come at the same moment. */
const RETRY_AFTER_S = { least: 5, most: 15 };

/** An HTTP response on the raw socket, which then ends: after 2 s also for a peer that keeps its side open. Gives its request id. */
export function refuse(socket: Duplex, request: IncomingMessage, refusal: Refusal, clock: Clock): string {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const { status, reason } = refusal;
  const body = JSON.stringify({ code: reason, requestId });
  endSocket(
    socket,
    `HTTP/1.1 ${String(status)} ${REASONS[status]}\r\n${headerOf(refusal)}Content-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
    clock,
  );
  return requestId;
}

function headerOf({ status, reason, retryAfterMs }: Refusal): string {
  // RFC 6455, 4.4: the client learns which version it may use instead.
  if (reason === 'invalid_handshake') return 'Sec-WebSocket-Version: 13\r\n';
  if (status === 401) return 'WWW-Authenticate: Basic realm="ocpp", charset="UTF-8"\r\n';
  if (retryAfterMs !== undefined) return `Retry-After: ${String(Math.max(1, Math.ceil(retryAfterMs / 1000)))}\r\n`;
  return status === 503 ? `Retry-After: ${String(someSeconds())}\r\n` : '';
}

function someSeconds(): number {
  const { least, most } = RETRY_AFTER_S;
  return least + Math.floor(Math.random() * (most - least + 1));
}
