// Closing one socket: in order where the charger answers, by force where it does not.
import type { Connection } from './connection';

/**
 * The time that a peer has to complete the close handshake before its socket is terminated: a half-open one never does.
 */
export const CLOSE_TIMEOUT_MS = 2_000;

/** Starts the close handshake, and terminates the socket where the charger does not complete it. */
export function closeSocket({ socket }: Connection, code: number, reason: string): void {
  socket.close(code, reason);
  const timeout = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  timeout.unref();
  socket.once('close', () => clearTimeout(timeout));
}
