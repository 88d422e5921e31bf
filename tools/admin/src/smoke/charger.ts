// The charger of a smoke test: it connects, boots and closes.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { parseJson, systemClock, withDeadline } from '@busbar/core';
import { WebSocket, type RawData } from 'ws';
import { explained, headersTo, tlsOf, WITHIN_MS, type Peer } from './connection';

export interface SmokeCharger {
  /** Resolves with the status of the answer to BootNotification. */
  boot(): Promise<string>;
  /** Resolves when the connection has ended. */
  close(): Promise<void>;
  /** Ends the connection at once. */
  terminate(): void;
}

const CALL = 2;
const RESULT = 3;
const NOT_SUPPORTED = [4, 'NotSupported', 'This charger only connects.', {}] as const;
const BOOT = { chargePointVendor: 'Busbar', chargePointModel: 'Smoke test' };

/** Resolves with the HTTP status of a rejected upgrade; 101 for one that was accepted, whose socket is closed at once. */
export async function statusOfUpgrade(url: URL, peer: Peer): Promise<number> {
  const socket = openSocket(url, peer);
  try {
    return await outcomeOf(socket);
  } finally {
    socket.terminate();
  }
}

/** Rejects with the status of a rejected upgrade. */
export async function connectCharger(url: URL, peer: Peer): Promise<SmokeCharger> {
  const socket = openSocket(url, peer);
  const status = await outcomeOf(socket);
  if (status !== 101) throw new Error(`the upgrade was rejected with ${String(status)}`);
  // The close comes afterwards, which is what is waited for.
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    boot: () => within(bootOn(socket, ended)),
    close() {
      socket.close(1000);
      return within(ended);
    },
    terminate: () => socket.terminate(),
  };
}

function openSocket(url: URL, peer: Peer): WebSocket {
  return new WebSocket(url, ['ocpp1.6'], {
    ...tlsOf(url, peer),
    headers: headersTo(url, peer),
    perMessageDeflate: false,
    handshakeTimeout: WITHIN_MS,
  });
}

function outcomeOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(101));
    socket.once('error', (error) => reject(explained(error)));
    socket.once('unexpected-response', (request: ClientRequest, response: IncomingMessage) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
  });
}

function bootOn(socket: WebSocket, ended: Promise<void>): Promise<string> {
  const id = 'smoke-boot';
  return new Promise((resolve, reject) => {
    void ended.then(() => reject(new Error('the service closed the connection')));
    socket.on('message', (data: RawData) => {
      const [type, messageId, payload] = frameOf(data);
      if (type === CALL) {
        const [error, ...rest] = NOT_SUPPORTED;
        socket.send(JSON.stringify([error, messageId, ...rest]));
      } else if (messageId === id) {
        if (type === RESULT) resolve(String((payload as { status?: unknown } | null)?.status));
        else reject(new Error(`the service answered with the error ${String(payload)}`));
      }
    });
    socket.send(JSON.stringify([CALL, id, 'BootNotification', BOOT]));
  });
}

function frameOf(data: RawData): readonly unknown[] {
  // One message is one Buffer, which is the default of ws.
  const frame = parseJson((data as Buffer).toString('utf8'));
  return Array.isArray(frame) ? frame : [];
}

const within = <T>(work: Promise<T>): Promise<T> =>
  withDeadline(systemClock, WITHIN_MS, work, () => new Error('no answer in time'));
