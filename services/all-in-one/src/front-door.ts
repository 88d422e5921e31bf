// Routes requests of the shared public port to their service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  addressOf,
  createProxyTrust,
  HTTPS_REQUIRED,
  isSecure,
  splitTarget,
  STRICT_TRANSPORT_SECURITY,
  type Peer,
  type RefusedRequest,
} from '@busbar/http';
import type { Console } from '@busbar/v2-api';
import { isFromThisMachine } from './live-counts';
import { isRead, refuseRequest, sendPage } from './responses';
import { startPagePolicy } from './start-page';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDoorOptions {
  readonly v2: RequestHandler;
  readonly legacy: RequestHandler;
  readonly ocpp: (request: IncomingMessage, response: ServerResponse, from: Pick<Peer, 'address'>) => void;
  /** Called after a request at `/ocpp` was refused, since it did not come over TLS. */
  readonly onOcppRefused: (request: IncomingMessage, refused: RefusedRequest) => void;
  /** Undefined where it is off. It takes `/` too, once it is built. */
  readonly console: Pick<Console, 'handles' | 'handle'> | undefined;
  /** The start page for a request; `isLocal`: it comes from this machine. Never rejects. */
  readonly startPage: (page: { readonly host: string; readonly isLocal: boolean }) => Promise<string>;
  readonly trustedProxies: readonly string[];
  /** False with a certificate that no browser trusts. */
  readonly sendsHsts: boolean;
}

/** `/v2`, `/api`, `/ocpp` and `/console` go to their services; `/` leads to the console or is the start page; `/docs` links the documentations; other paths are 404. */
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
    options.onOcppRefused(request, { code: HTTPS_REQUIRED.code, requestId, from });
  }

  function secured(
    handler: RequestHandler,
    onInsecure?: (request: IncomingMessage, requestId: string) => void,
  ): RequestHandler {
    return (request, response) => {
      if (!isSecure(request, isTrustedProxy)) {
        const requestId = refuseRequest(response, HTTPS_REQUIRED);
        onInsecure?.(request, requestId);
        return;
      }
      if (options.sendsHsts) response.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
      handler(request, response);
    };
  }

  const policy = startPagePolicy();
  const showStart = secured((request, response) => {
    if (!isRead(request, response)) return;
    const page = { host: hostOf(request), isLocal: isFromThisMachine(request, isTrustedProxy) };
    void options.startPage(page).then((html) => sendPage(response, html, policy));
  });

  const notFound = secured((_request, response) => {
    refuseRequest(response, NOTHING_HERE);
  });

  return (request, response) => {
    if (options.console?.handles(request) === true) {
      options.console.handle(request, response);
      return;
    }
    const path = splitTarget(request.url ?? '/').path;
    if (path === '/') {
      showStart(request, response);
      return;
    }
    const service = services.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
    (service?.[1] ?? notFound)(request, response);
  };
}

/** As the reader's browser named this service, without what is no host. */
function hostOf({ headers }: IncomingMessage): string {
  const url = `https://${headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).host : 'localhost';
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
  if (path !== '/docs' && path !== '/docs/') refuseRequest(response, NOTHING_HERE);
  else if (isRead(request, response)) sendPage(response, DOCS);
}
