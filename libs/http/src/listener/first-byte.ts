import type { Socket } from 'node:net';

/** Content type of a TLS handshake record (RFC 8446 clause 5.1); no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;

/**
 * Passes a new connection on as TLS or plain HTTP, by its first byte, which is put back. A connection without a byte within the
 * time is closed.
 */
export function sortByFirstByte(
  socket: Socket,
  waitMs: number,
  to: { readonly tls: (socket: Socket) => void; readonly plain: (socket: Socket) => void },
): void {
  // Nobody else listens before the connection is passed on. A reset then does not matter.
  const ignore = (): void => undefined;
  const giveUp = (): void => void socket.destroy();
  socket.on('error', ignore);
  socket.setTimeout(waitMs, giveUp);
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    socket.setTimeout(0);
    socket.removeListener('timeout', giveUp);
    socket.unshift(chunk);
    const isTls = chunk[0] === TLS_HANDSHAKE;
    (isTls ? to.tls : to.plain)(socket);
    socket.removeListener('error', ignore);
    // A TLS connection reads the socket itself; a plain one must resume it.
    if (!isTls) process.nextTick(() => socket.resume());
  });
}
