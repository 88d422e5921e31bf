// The HTTP answer to an upgrade that is not taken.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestIdFrom } from '@busbar/http';

export interface Refusal {
  readonly status: keyof typeof REASONS;
  readonly reason: string;
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

/** An HTTP answer on the raw socket, which then ends. */
export function refuse(socket: Duplex, request: IncomingMessage, refusal: Refusal): void {
  // A peer that is gone already is nobody's error.
  socket.on('error', () => undefined);
  if (socket.destroyed || !socket.writable) return;
  const { status, reason } = refusal;
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const body = JSON.stringify({ code: reason, requestId });
  socket.end(
    `HTTP/1.1 ${String(status)} ${REASONS[status]}\r\n${headerOf(refusal)}Content-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function headerOf({ status, retryAfterMs }: Refusal): string {
  if (status === 401) return 'WWW-Authenticate: Basic realm="ocpp", charset="UTF-8"\r\n';
  if (retryAfterMs !== undefined) return `Retry-After: ${String(Math.max(1, Math.ceil(retryAfterMs / 1000)))}\r\n`;
  return status === 503 ? `Retry-After: ${String(someSeconds())}\r\n` : '';
}

function someSeconds(): number {
  const { least, most } = RETRY_AFTER_S;
  return least + Math.floor(Math.random() * (most - least + 1));
}
