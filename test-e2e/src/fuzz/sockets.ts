// Raw sockets and raw websocket frames, for what no client library would send.
import { connect, type Socket } from 'node:net';
import type { Random } from '../faults/random';

export interface RawSocket {
  readonly socket: Socket;
  write(bytes: Buffer | string): void;
  /** Resolves with what has come when `fits` does, or when the socket ends, or after `withinMs`. */
  read(withinMs: number, fits: (received: string) => boolean): Promise<string>;
  destroy(): void;
}

const KEPT = 65_536;

/** A connection that never throws: a peer that hangs up is what this is about. */
export function openRaw(port: number): RawSocket {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (received = (received + chunk.toString('latin1')).slice(-KEPT)));
  return {
    socket,
    write(bytes) {
      if (socket.writable) socket.write(bytes);
    },
    read(withinMs, fits) {
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          socket.off('data', look);
          socket.off('close', done);
          resolve(received);
        };
        const look = (): void => {
          if (fits(received)) done();
        };
        const timer = setTimeout(done, withinMs);
        socket.on('data', look);
        socket.on('close', done);
        if (socket.closed || fits(received)) done();
      });
    },
    destroy: () => socket.destroy(),
  };
}

/** An upgrade request that is right. */
export function handshake(chargerId: string, subprotocol: string, extra = ''): string {
  return (
    `GET /ocpp/${chargerId} HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ${subprotocol}\r\n${extra}\r\n`
  );
}

/** A websocket whose handshake has succeeded; undefined where it was refused, as a newer one of the same charger may cause. */
export async function openRawWebsocket(
  port: number,
  chargerId: string,
  subprotocol: string,
  extra = '',
): Promise<RawSocket | undefined> {
  const raw = openRaw(port);
  raw.write(handshake(chargerId, subprotocol, extra));
  const head = await raw.read(20_000, (received) => received.includes('\r\n\r\n'));
  if (head.startsWith('HTTP/1.1 101')) return raw;
  raw.destroy();
  return undefined;
}

export interface FrameBits {
  readonly fin?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
  readonly opcode?: number;
  readonly masked?: boolean;
  /** The length in the header; by default the payload's own. */
  readonly claims?: bigint;
}

/** A websocket frame with whatever header one wants. */
export function rawFrame(payload: Buffer, bits: FrameBits = {}): Buffer {
  const { reserved = 0, opcode = 1, masked = true, claims = BigInt(payload.length) } = bits;
  const first = (bits.fin === false ? 0 : 0x80) | (reserved << 4) | opcode;
  // Masked with zeros: what a client may choose, and the payload stays as it is.
  const key = Buffer.alloc(masked ? 4 : 0);
  return Buffer.concat([Buffer.from([first]), lengthBytes(claims, masked ? 0x80 : 0), key, payload]);
}

function lengthBytes(length: bigint, mask: number): Buffer {
  if (length < 126n) return Buffer.from([mask | Number(length)]);
  if (length < 65_536n) {
    const bytes = Buffer.from([mask | 126, 0, 0]);
    bytes.writeUInt16BE(Number(length), 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9, mask | 127);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, length), 1);
  return bytes;
}

export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
