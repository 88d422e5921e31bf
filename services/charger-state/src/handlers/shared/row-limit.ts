import { INPUT_LIMITS } from '@busbar/domain';

/**
 * The greatest socket number of the APIs. A charger that sends a greater one has a defect, and no command could address
 * it.
 */
const HIGHEST_SOCKET = INPUT_LIMITS.socketId;
/** More sockets than any charger has: bounds the record. */
const MAX_SOCKETS = 256;

/**
 * Returns whether a part of the record may store this socket. Its number must be valid. It must be stored already, or there
 * must be fewer than the limit.
 */
export function isWithinLimit(bySocket: Readonly<Record<string, unknown>>, socketId: number, lowest: number): boolean {
  if (socketId < lowest || socketId > HIGHEST_SOCKET) return false;
  return bySocket[String(socketId)] !== undefined || Object.keys(bySocket).length < MAX_SOCKETS;
}
