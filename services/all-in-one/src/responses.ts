// Responses of the front door itself.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusalBody, requestIdFrom } from '@busbar/http';

export type Refusal = Parameters<typeof refusalBody>[0];

const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** An error in the form of both APIs. Returns the request id of the response. */
export function refuseRequest(response: ServerResponse, refusal: Refusal): string {
  const requestId = idOf(response.req);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
  finish(response, refusal.status, headers, refusalBody(refusal, requestId));
  return requestId;
}

/** Returns whether the request is a GET or HEAD, and responds to any other with 405. */
export function isRead({ method }: IncomingMessage, response: ServerResponse): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  response.setHeader('allow', 'GET, HEAD');
  refuseRequest(response, {
    status: 405,
    code: 'method_not_allowed',
    message: 'This page supports GET and HEAD only.',
  });
  return false;
}

/** A page without scripts. `policy` is its Content-Security-Policy; by default it loads nothing. */
export function sendPage(response: ServerResponse, html: string, policy = POLICY): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'x-request-id': idOf(response.req) };
  finish(response, 200, { ...headers, 'content-security-policy': policy }, html);
}

function idOf({ headers }: IncomingMessage): string {
  return requestIdFrom(headers['x-request-id']);
}

function finish(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, {
    'content-security-policy': POLICY,
    ...headers,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(body);
}
