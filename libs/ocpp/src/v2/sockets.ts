// Sockets of a charger that speaks OCPP 2.x: the number that both APIs show for a connector of an EVSE (rule 132). One number for
// each place, the same over every boot, and equal to the number of 1.6 where each EVSE has one connector.

/** A connector of an EVSE. Both begin at 1. */
export interface ConnectorPlace {
  readonly evseId: number;
  readonly connectorId: number;
}

/** Of an EVSE, and of a connector of it. */
const MAX_ID = 99;
const EVSE_FACTOR = 100;
/** The largest socket id of any version. */
export const MAX_SOCKET_ID = EVSE_FACTOR * MAX_ID + MAX_ID;

/** The socket of a connector. Undefined for a place beyond 99: it has no socket. */
export function socketIdOf({ evseId, connectorId }: ConnectorPlace): number | undefined {
  if (!isId(evseId) || !isId(connectorId)) return undefined;
  return connectorId === 1 ? evseId : EVSE_FACTOR * evseId + connectorId;
}

/** The connector of a socket. Undefined for a number that no connector has: 0, 100, 101, 200, 201, … */
export function placeOfSocket(socketId: number): ConnectorPlace | undefined {
  if (isId(socketId)) return { evseId: socketId, connectorId: 1 };
  const evseId = Math.floor(socketId / EVSE_FACTOR);
  const connectorId = socketId - EVSE_FACTOR * evseId;
  return isId(evseId) && isId(connectorId) && connectorId > 1 ? { evseId, connectorId } : undefined;
}

/** Whether two sockets are connectors of one EVSE. False where one of them is no connector. */
export function isSameEvse(socketId: number, other: number): boolean {
  const evseId = placeOfSocket(socketId)?.evseId;
  return evseId !== undefined && evseId === placeOfSocket(other)?.evseId;
}

function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= MAX_ID;
}
