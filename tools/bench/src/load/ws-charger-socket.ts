// A charger's websocket on the `ws` library, as most simulators and gateways' own tests have it: what `--chargers ws` loads with.
// It takes more than twice the processor time of charger-socket.ts, which both the baseline and the product then share.
import WebSocket from 'ws';
import type { Answered, ChargerSocket, Opening, Target } from './charger-socket';

const OPEN_MS = 30_000;

/** Connects and upgrades with the subprotocol ocpp1.6. Never rejects. */
export function openWsChargerSocket({ host, port, secure }: Target, chargerId: string): Promise<Opening> {
  const url = `${secure ? 'wss' : 'ws'}://${host}:${String(port)}/ocpp/${encodeURIComponent(chargerId)}`;
  // The bench's own servers are self-signed.
  const socket = new WebSocket(url, 'ocpp1.6', { rejectUnauthorized: false, handshakeTimeout: OPEN_MS });
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ kind: 'open', socket: createChargerSocket(socket, chargerId) }));
    socket.once('unexpected-response', (request, { statusCode = 0, headers }) => {
      const seconds = headers['retry-after'];
      resolve({
        kind: 'refused',
        status: statusCode,
        retryAfterS: seconds === undefined ? undefined : Number(seconds),
      });
      request.destroy();
    });
    // Kept for good: an error without a listener would end the generator.
    socket.on('error', ({ message }) => resolve({ kind: 'failed', reason: message }));
  });
}

function createChargerSocket(socket: WebSocket, chargerId: string): ChargerSocket {
  let inFlight: { readonly messageId: string; readonly answered: Answered } | undefined;
  const settle = (isResult: boolean): void => {
    const settled = inFlight;
    inFlight = undefined;
    settled?.answered(isResult);
  };
  socket.on('message', (data: Buffer) => {
    const [type, messageId] = JSON.parse(data.toString()) as [number, string];
    // This charger can nothing.
    if (type === 2) socket.send(JSON.stringify([4, messageId, 'NotImplemented', '', {}]));
    else if (messageId === inFlight?.messageId) settle(type === 3);
  });
  socket.on('close', () => settle(false));
  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  return {
    chargerId,
    call(messageId, text, answered) {
      inFlight = { messageId, answered };
      if (isOpen()) socket.send(text);
      else setImmediate(() => settle(false));
    },
    isOpen,
    destroy: () => socket.terminate(),
  };
}
