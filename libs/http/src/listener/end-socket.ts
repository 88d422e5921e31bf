import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';

/** Enough for a peer that is still sending to read the last bytes before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Writes the last bytes of a connection and ends it. A peer that does not close its side is cut after 2 s: half-closed, the
 * socket would keep its file descriptor for as long as the peer likes. What the peer still sends is discarded.
 */
export function endSocket(socket: Duplex, lastBytes: string, clock: Clock): void {
  // A peer that is gone already is nobody's error.
  socket.on('error', () => undefined);
  if (socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = clock.after(LINGER_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
  socket.end(lastBytes);
  socket.resume();
}
