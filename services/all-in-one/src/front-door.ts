// Routes requests of the shared public port to their service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  addressOf,
  createProxyTrust,
  INSECURE,
  isSecure,
  refusalBody,
  requestIdFrom,
  splitTarget,
  STRICT_TRANSPORT_SECURITY,
  type Peer,
  type RefusedRequest,
} from '@busbar/http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDoorOptions {
  readonly v2: RequestHandler;
  readonly legacy: RequestHandler;
  readonly ocpp: (request: IncomingMessage, response: ServerResponse, from: Pick<Peer, 'address'>) => void;
  /** Called after a request at `/ocpp` was refused, since it did not come over TLS. */
  readonly onOcppRefused: (request: IncomingMessage, refused: RefusedRequest) => void;
  readonly trustedProxies: readonly string[];
  /** False with a certificate that no browser trusts. */
  readonly sendsHsts: boolean;
}

/** `/v2`, `/api` and `/ocpp` go to their services; `/docs` links the documentations; other paths are 404. */
export function createFrontDoor(options: FrontDoorOptions): RequestHandler {
  const isTrustedProxy = createProxyTrust(options.trustedProxies);
  const services: readonly (readonly [string, RequestHandler])[] = [
    // These two refuse requests without TLS themselves, each with its own error body.
    ['/v2', options.v2],
    ['/api', options.legacy],
    ['/ocpp', secured(ocpp, reportInsecure)],
    ['/docs', secured(showDocs)],
  ];

  function ocpp(request: IncomingMessage, response: ServerResponse): void {
    options.ocpp(request, response, { address: addressOf(request, isTrustedProxy) });
  }

  function reportInsecure(request: IncomingMessage, requestId: string): void {
    const from = { address: addressOf(request, isTrustedProxy) };
    options.onOcppRefused(request, { code: INSECURE.code, requestId, from });
  }

  function secured(
    handler: RequestHandler,
    onInsecure?: (request: IncomingMessage, requestId: string) => void,
  ): RequestHandler {
    return (request, response) => {
      if (!isSecure(request, isTrustedProxy)) {
        const requestId = answer(response, INSECURE);
        onInsecure?.(request, requestId);
        return;
      }
      if (options.sendsHsts) response.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
      handler(request, response);
    };
  }

  const notFound = secured((_request, response) => {
    answer(response, NOTHING_HERE);
  });

  return (request, response) => {
    const path = splitTarget(request.url ?? '/').path;
    const service = services.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
    (service?.[1] ?? notFound)(request, response);
  };
}

const NOTHING_HERE = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing here. The documentation is at /docs.',
};

const DOCS = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Busbar</title>
<h1>Busbar</h1>
<p>Interactive documentation:</p>
<ul>
<li><a href="/v2/docs">/v2/docs</a>: the v2 API</li>
<li><a href="/api/docs">/api/docs</a>: the v1 (legacy) API</li>
</ul>
<p>Their OpenAPI documents: <a href="/v2/openapi.json">/v2/openapi.json</a>, <a href="/api/swagger.json">/api/swagger.json</a>.</p>
</html>
`;

function showDocs(request: IncomingMessage, response: ServerResponse): void {
  const path = splitTarget(request.url ?? '/').path;
  if (path !== '/docs' && path !== '/docs/') {
    answer(response, NOTHING_HERE);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    answer(response, { status: 405, code: 'method_not_allowed', message: 'This page supports GET and HEAD only.' });
    return;
  }
  finish(response, 200, { 'content-type': 'text/html; charset=utf-8', 'x-request-id': idOf(request) }, DOCS);
}

/** Returns the request id of the response. */
function answer(response: ServerResponse, refusal: Parameters<typeof refusalBody>[0]): string {
  const requestId = idOf(response.req);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
  finish(response, refusal.status, headers, refusalBody(refusal, requestId));
  return requestId;
}

function idOf({ headers }: IncomingMessage): string {
  return requestIdFrom(headers['x-request-id']);
}

function finish(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(body);
}
