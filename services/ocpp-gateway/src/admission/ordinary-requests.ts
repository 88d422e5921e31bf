// Requests that are no upgrade to a websocket, and what the listener refuses itself. Whoever commissions a charger behind a proxy
// that does not forward websockets finds its attempts beside all other rejected ones.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom, type Peer, type RefusedRequest } from '@busbar/http';
import type { GatewayMetrics } from '../gateway-metrics';
import { asksForWebsocket, isChargerPath, readIdentity } from './handshake';
import type { RejectedAttempts } from './rejected-attempts';

export interface OrdinaryRequests {
  /** Answers that a websocket is wanted, or that there is nothing. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse, from: Pick<Peer, 'address'>) => void;
  /** For what the listener has refused itself. */
  readonly handleRefused: (request: IncomingMessage, refused: RefusedRequest) => void;
}

export interface OrdinaryRequestsDeps {
  readonly strict: boolean;
  readonly metrics: Pick<GatewayMetrics, 'upgrades'>;
  readonly onRejected: RejectedAttempts['rejected'];
}

export const NO_UPGRADE = 'no_websocket_upgrade';
const ASK_FOR_UPGRADE =
  'Connect here with a websocket. This request has no header "Upgrade: websocket": the proxy in front may not forward websockets.';

export function createOrdinaryRequests({ strict, metrics, onRejected }: OrdinaryRequestsDeps): OrdinaryRequests {
  /** A handshake is a GET: anything else at a charger's address is no charger's attempt. */
  function reportMissingUpgrade(request: IncomingMessage, rest: Pick<RefusedRequest, 'requestId' | 'from'>): void {
    if (request.method !== 'GET' || !readIdentity(request.url ?? '', { strict }).ok) return;
    onRejected({ request, reason: NO_UPGRADE, ...rest });
  }

  return {
    handleRequest(request, response, from) {
      const requestId = requestIdFrom(request.headers['x-request-id']);
      askForUpgrade(request, response, requestId);
      reportMissingUpgrade(request, { requestId, from });
    },
    handleRefused(request, { code, requestId, from }) {
      if (!asksForWebsocket(request)) {
        reportMissingUpgrade(request, { requestId, from });
        return;
      }
      metrics.upgrades.inc({ result: code });
      onRejected({ request, reason: code, requestId, from });
    },
  };
}

function askForUpgrade({ url = '' }: IncomingMessage, response: ServerResponse, requestId: string): void {
  const [status, code, message, headers] = isChargerPath(url)
    ? [426, 'upgrade_required', ASK_FOR_UPGRADE, { connection: 'Upgrade', upgrade: 'websocket' }]
    : [404, 'not_found', 'There is nothing here. Chargers connect at /ocpp/ and their id.', {}];
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': requestId, ...headers });
  response.end(JSON.stringify({ code, message, requestId }));
}
