import type { Socket } from 'node:net';

/** Content type of a TLS handshake record (RFC 8446 clause 5.1); no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;

/**
 * Tells by the first byte whether a new connection speaks TLS or plain HTTP, and hands it on with that byte put back. One
 * that says nothing within the time is closed.
 */
export function sortByFirstByte(
  socket: Socket,
  waitMs: number,
  to: { readonly tls: (socket: Socket) => void; readonly plain: (socket: Socket) => void },
): void {
  // Until the connection is handed on nobody else listens; a reset then is no event of interest.
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
    // A TLS connection reads from underneath; a plain one goes on by itself.
    if (!isTls) process.nextTick(() => socket.resume());
  });
}
