// Completes the upgrade of an admitted charger: opens the connection, or closes the socket where no version is common.
import type { AdmissionAnswer } from '@busbar/contracts';
import type { CertificateIdentity, UpgradeConnection } from '@busbar/http';
import type { WebSocket, WebSocketServer } from 'ws';
import { openWebsocket, type Upgrade } from '../connection/open-websocket';
import type { Rejection } from './rejection';
import { rejectUpgrade, type RejectUpgradeDeps } from './reject-upgrade';

/** A charger that may connect. */
export interface Admitted {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly version: string;
  /** True where the charger offered the version, so that the response must name it. Otherwise it was assumed. */
  readonly offered: boolean;
  readonly acceptance: Extract<AdmissionAnswer, { outcome: 'accept' }>;
  readonly deviations: readonly string[];
  readonly peer: string;
  /** The client certificate, where it is trusted. */
  readonly certificate: CertificateIdentity | undefined;
}

export interface OpeningDeps extends RejectUpgradeDeps {
  readonly server: WebSocketServer;
  readonly onOpen: (socket: WebSocket, admitted: Admitted) => void;
}

const INVALID_HANDSHAKE: Rejection = { status: 400, reason: 'invalid_handshake', charger: 'known' };

/** Completes the handshake. Rejects a request that violates RFC 6455, 4.2.1 in ways that Node does not check. */
export function openAdmitted(
  deps: OpeningDeps,
  upgrade: Upgrade,
  admitted: Admitted | 'without_subprotocol',
  from: UpgradeConnection,
): void {
  const { metrics, server, onOpen, onRejected } = deps;
  const isNamed = admitted !== 'without_subprotocol' && admitted.offered;
  // A copy with the charger's offer: opening replaces that header by the choice.
  const request = { url: upgrade.request.url ?? '', headers: { ...upgrade.request.headers } };
  const isHandshake = openWebsocket(server, upgrade, isNamed ? admitted.version : undefined, (websocket) => {
    if (admitted === 'without_subprotocol') {
      // OCPP-J 1.6, 3.1.2: complete the handshake without a subprotocol, then close immediately (rules 2 and 3).
      onRejected({ request, from, reason: 'no_subprotocol', charger: 'known' });
      metrics.upgrades.inc({ result: 'no_subprotocol' });
      websocket.on('error', () => websocket.terminate());
      websocket.close(1002, 'no common subprotocol');
      return;
    }
    metrics.upgrades.inc({ result: 'accepted' });
    from.admitted();
    onOpen(websocket, admitted);
  });
  if (!isHandshake) rejectUpgrade(deps, { request, socket: upgrade.socket }, from, INVALID_HANDSHAKE);
}
