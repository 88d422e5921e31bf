import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';

/** Time for a peer that is still sending to read the last bytes. */
const LINGER_MS = 2_000;

/**
 * Writes the last bytes of a connection and ends it. After 2 s it is destroyed: a peer that does not close its side would keep
 * its file descriptor in use. Bytes that the peer still sends are discarded.
 */
export function endSocket(socket: Duplex, lastBytes: string, clock: Clock): void {
  // The peer may have disconnected already.
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
