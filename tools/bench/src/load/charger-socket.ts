// One charger's websocket, as light as the load generator needs it: one CALL in flight, answers matched by their id.
import { randomBytes } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Version2 } from './messages-2';
import { clientFrame, createFrameReader, pongFrame } from './websocket-frames';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export type Opening =
  | { readonly kind: 'open'; readonly socket: ChargerSocket }
  /** `retryAfterS`: the server's Retry-After, if it sent one. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterS: number | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** A CALLRESULT came for the CALL in flight (true); a CALLERROR, or the socket ended (false). */
export type Answered = (isResult: boolean) => void;

export interface ChargerSocket {
  readonly chargerId: string;
  /** Sends a CALL that carries this message id. */
  call(messageId: string, text: string, answered: Answered): void;
  isOpen(): boolean;
  /** Cuts the connection. */
  destroy(): void;
}

const OPEN_MS = 30_000;
const MAX_HEAD_BYTES = 16_384;
const END_OF_HEAD = '\r\n\r\n';

/** The subprotocols of the loads. */
export type Subprotocol = 'ocpp1.6' | Version2;

/** Connects and upgrades with the subprotocol. Never rejects. */
export function openChargerSocket(
  target: Target,
  chargerId: string,
  subprotocol: Subprotocol = 'ocpp1.6',
): Promise<Opening> {
  return new Promise((resolve) => {
    const { host, port, secure } = target;
    // The bench's own servers are self-signed.
    const socket = secure ? connectSecurely({ host, port, rejectUnauthorized: false }) : connectPlain({ host, port });
    socket.setNoDelay(true);
    let head = Buffer.alloc(0);
    const timer = setTimeout(() => fail('no answer to the upgrade'), OPEN_MS);
    const fail = (reason: string): void => {
      settle({ kind: 'failed', reason });
      socket.destroy();
    };
    const onError = (error: Error): void => fail(error.message);
    const onClose = (): void => fail('closed during the upgrade');
    const settle = (opening: Opening): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(opening);
    };
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end === -1) {
        if (head.length > MAX_HEAD_BYTES) fail('an answer without end');
        return;
      }
      const text = head.toString('latin1', 0, end);
      const rest = head.subarray(end + END_OF_HEAD.length);
      if (statusOf(text) === 101) settle({ kind: 'open', socket: createChargerSocket(socket, chargerId, rest) });
      else {
        settle({ kind: 'refused', status: statusOf(text), retryAfterS: retryAfterOf(text) });
        socket.destroy();
      }
    };
    // Kept permanently: an error without a listener would end the generator.
    socket.on('error', onError);
    socket.on('data', onData);
    socket.on('close', onClose);
    socket.write(upgradeRequest(target, chargerId, subprotocol));
  });
}

function createChargerSocket(socket: Socket, chargerId: string, rest: Buffer): ChargerSocket {
  let inFlight: { readonly messageId: string; readonly answered: Answered } | undefined;
  let open = true;

  function settle(isResult: boolean): void {
    const settled = inFlight;
    inFlight = undefined;
    settled?.answered(isResult);
  }

  function onText(text: string): void {
    if (text.startsWith('[2,')) {
      // A CALL of the server's: this charger can nothing.
      const id = /^\[2,\s*("[^"]*")/.exec(text)?.[1] ?? '""';
      socket.write(clientFrame(`[4,${id},"NotImplemented","",{}]`));
      return;
    }
    if (inFlight === undefined || !text.startsWith(`"${inFlight.messageId}"`, 3)) return;
    settle(text.startsWith('[3,'));
  }

  const reader = createFrameReader({
    onText,
    onPing: (payload) => void socket.write(pongFrame(payload)),
    onClose: () => void socket.end(),
  });
  const read = (chunk: Buffer): void => {
    try {
      reader.read(chunk);
    } catch {
      socket.destroy();
    }
  };
  socket.on('data', read);
  socket.on('close', () => {
    open = false;
    settle(false);
  });
  if (rest.length > 0) read(rest);
  return {
    chargerId,
    call(messageId, text, answered) {
      inFlight = { messageId, answered };
      if (open) socket.write(clientFrame(text));
      else setImmediate(() => settle(false));
    },
    isOpen: () => open,
    destroy: () => void socket.destroy(),
  };
}

function upgradeRequest({ host, port }: Target, chargerId: string, subprotocol: Subprotocol): string {
  const lines = [
    `GET /ocpp/${encodeURIComponent(chargerId)} HTTP/1.1`,
    `Host: ${host}:${String(port)}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    `Sec-WebSocket-Protocol: ${subprotocol}`,
  ];
  return lines.join('\r\n') + END_OF_HEAD;
}

function statusOf(head: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
}

function retryAfterOf(head: string): number | undefined {
  const seconds = /^retry-after: *(\d+)/im.exec(head)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
