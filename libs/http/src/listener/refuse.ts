// Responses of the listener itself to requests that reach no app, in the form of both APIs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createId } from '@busbar/core';
import { USE_HTTPS } from '../routing/policy/https-only';
import { requestIdFrom } from '../routing/request/request-id';

export interface Refusal {
  readonly status: 400 | 403 | 408 | 417 | 429 | 431;
  readonly code: string;
  readonly message: string;
}

export const HTTPS_REQUIRED: Refusal = { status: 403, code: 'https_required', message: USE_HTTPS };

export const WITHOUT_HOST: Refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'The Host header is missing or repeated. Send exactly one.',
};

export const UNMET_EXPECTATION: Refusal = {
  status: 417,
  code: 'expectation_failed',
  message: 'The expectation is not supported. Leave out the header Expect, or send 100-continue.',
};

export const TOO_MANY_SOCKETS: Refusal = {
  status: 429,
  code: 'too_many_sockets',
  message: 'This address has too many connections without an admitted charger. Close some of them.',
};

const MALFORMED: Refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'The request is not valid HTTP/1.1. Check its request line and headers.',
};

/** By the error code of Node's parser. */
const UNPARSABLE: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: {
    status: 400,
    code: 'invalid_request',
    message: 'The method is unknown. Use a method that HTTP registers.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    message: 'The URL and the headers are too long together. Send fewer query parameters or headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    message: 'The request did not arrive completely in time. Send it again.',
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

/** Undefined where there is no request: after a failed handshake or a reset. */
export function refusalOfParser({ code = '' }: NodeJS.ErrnoException): Refusal | undefined {
  return UNPARSABLE[code] ?? (code.startsWith('HPE_') ? MALFORMED : undefined);
}

/** Rejects a request and ends its connection without reading the body. Returns the request id. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): string {
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const body = refusalBody(refusal, requestId);
  response.writeHead(refusal.status, headersOf(requestId, body));
  response.end(body);
  return requestId;
}

/** The same response as bytes, for a connection without a request. */
export function refusalText(refusal: Refusal, requestId = createId()): string {
  const body = refusalBody(refusal, requestId);
  const headers = Object.entries(headersOf(requestId, body)).map(([name, value]) => `${name}: ${String(value)}`);
  const statusLine = `HTTP/1.1 ${String(refusal.status)} ${REASONS[refusal.status]}`;
  return `${[statusLine, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** An error in the form of both APIs, since the caller's API is unknown. */
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
