// Closing one socket: in order where the charger answers, by force where it does not.
import { endByService, type CloseFrameReason, type ConnectionEnd } from './close-reason';
import type { Connection } from './connection';

/**
 * The time that a peer has to complete the close handshake before its socket is terminated: a half-open one never does.
 */
export const CLOSE_TIMEOUT_MS = 2_000;

/** Starts the close handshake, and terminates the socket where the charger does not complete it. */
export function closeSocket(connection: Connection, code: number, reason: CloseFrameReason): void {
  const { socket } = connection;
  connection.end ??= endByService(code, reason);
  socket.close(code, reason);
  const timeout = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  timeout.unref();
  socket.once('close', () => clearTimeout(timeout));
}

/** Ends a socket whose charger would not complete a close handshake. */
export function terminateSocket(connection: Connection, end: ConnectionEnd): void {
  connection.end ??= end;
  connection.socket.terminate();
}
