// Answers of the listener itself: to what never becomes a request of an app, readable by both generations.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createId } from '@busbar/core';
import { USE_HTTPS } from '../routing/https-only';
import { requestIdFrom } from '../routing/request-id';

export interface Refusal {
  readonly status: 400 | 403 | 408 | 417 | 429 | 431;
  readonly code: string;
  readonly message: string;
}

export const INSECURE: Refusal = { status: 403, code: 'https_required', message: USE_HTTPS };

export const WITHOUT_HOST: Refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'A request of HTTP/1.1 has one Host header.',
};

export const UNMET_EXPECTATION: Refusal = {
  status: 417,
  code: 'expectation_failed',
  message: 'The only expectation that can be met is 100-continue: leave the header Expect out.',
};

export const TOO_MANY_CONNECTIONS: Refusal = {
  status: 429,
  code: 'too_many_connections',
  message: 'This address has too many open connections that no charger was admitted on: close some of them.',
};

const MALFORMED: Refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'This is no request of HTTP/1.1, or none that can be read.',
};

/** By the code of what Node's parser refuses. */
const UNPARSABLE: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: {
    status: 400,
    code: 'invalid_request',
    message: 'The request does not begin with a method that is known here.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message: 'The address with its query and the headers are too long together: ask for less at a time.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message: 'The request did not come whole in time. Send it again.',
  },
};

const REASONS = {
  400: 'Bad Request',
  403: 'Forbidden',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
} as const satisfies Record<Refusal['status'], string>;

/** Undefined: no request, as a failed handshake or a reset. */
export function refusalOfParser({ code = '' }: NodeJS.ErrnoException): Refusal | undefined {
  return UNPARSABLE[code] ?? (code.startsWith('HPE_') ? MALFORMED : undefined);
}

/** Answers a request that is not handed on, and ends its connection: its body is not read. Gives the response's request id. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): string {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const body = refusalBody(refusal, requestId);
  response.writeHead(refusal.status, headersOf(requestId, body));
  response.end(body);
  return requestId;
}

/** The same answer as bytes, where there is no request that it could be an answer to. */
export function refusalText(refusal: Refusal, requestId = createId()): string {
  const body = refusalBody(refusal, requestId);
  const headers = Object.entries(headersOf(requestId, body)).map(([name, value]) => `${name}: ${String(value)}`);
  const statusLine = `HTTP/1.1 ${String(refusal.status)} ${REASONS[refusal.status]}`;
  return `${[statusLine, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Both generations' words for an error, since nobody knows which the caller speaks. */
export function refusalBody(refusal: Omit<Refusal, 'status'> & { readonly status: number }, requestId: string): string {
  const { status, code, message } = refusal;
  return JSON.stringify({ code, errorCode: code, status, message, requestId });
}

function headersOf(requestId: string, body: string) {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    connection: 'close',
  };
}
