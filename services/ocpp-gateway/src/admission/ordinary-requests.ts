// Answers requests that ask for no websocket upgrade, and records what the listener rejects itself. So the attempts of a charger
// behind a proxy that does not forward websockets are found beside all other rejected ones.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom, type Peer, type RefusedRequest } from '@busbar/http';
import type { GatewayMetrics } from '../gateway-metrics';
import { asksForWebsocket, isChargerPath, readIdentity } from './handshake';
import type { RejectedAttempts } from './rejected-attempts';

export type OrdinaryRequests = ReturnType<typeof createOrdinaryRequests>;

export interface OrdinaryRequestsDeps {
  readonly strict: boolean;
  readonly metrics: Pick<GatewayMetrics, 'upgrades'>;
  readonly onRejected: RejectedAttempts['rejected'];
}

export const NO_UPGRADE = 'no_websocket_upgrade';
const ASK_FOR_UPGRADE =
  'Connect here with a websocket. This request has no header "Upgrade: websocket": the proxy in front may not forward websockets.';

export function createOrdinaryRequests({ strict, metrics, onRejected }: OrdinaryRequestsDeps) {
  /** A handshake is a GET: another method is no attempt of a charger. */
  function reportMissingUpgrade(request: IncomingMessage, rest: Pick<RefusedRequest, 'requestId' | 'from'>): void {
    if (request.method !== 'GET' || !readIdentity(request.url ?? '', { strict }).ok) return;
    onRejected({ request, reason: NO_UPGRADE, ...rest });
  }

  return {
    /** Responds 426 at a charger's path, and 404 elsewhere. */
    handleRequest(request: IncomingMessage, response: ServerResponse, from: Pick<Peer, 'address'>): void {
      const requestId = requestIdFrom(request.headers['x-request-id']);
      askForUpgrade(request, response, requestId);
      reportMissingUpgrade(request, { requestId, from });
    },
    /** Records a request that the listener has rejected itself. */
    handleRefused(request: IncomingMessage, { code, requestId, from }: RefusedRequest): void {
      // A shared port has other paths too.
      if (!isChargerPath(request.url ?? '')) return;
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
    : [404, 'not_found', 'Nothing is served at this path. Chargers connect at /ocpp/ and their id.', {}];
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': requestId, ...headers });
  response.end(JSON.stringify({ code, message, requestId }));
}
