import { INPUT_LIMITS } from '@busbar/domain';

/** What the APIs can address; a greater number is a charger's mistake, and could never be commanded. */
const HIGHEST_SOCKET = INPUT_LIMITS.socketId;
/** More sockets than any charger has; what a record holds must have a bound. */
const MAX_SOCKETS = 256;

/**
 * Whether a part of the record that is kept by socket takes this one: its number is one that a socket can have, and it is
 * there already or there are not too many others.
 */
export function isWithinLimit(bySocket: Readonly<Record<string, unknown>>, socketId: number, lowest: number): boolean {
  if (socketId < lowest || socketId > HIGHEST_SOCKET) return false;
  return bySocket[String(socketId)] !== undefined || Object.keys(bySocket).length < MAX_SOCKETS;
}
