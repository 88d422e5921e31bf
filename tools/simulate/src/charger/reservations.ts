// Reservations (OCPP 1.6, 5.13): of one socket, or of any, which connector 0 means.
import { isBusy, socketOf, type ChargerState, type Reservation, type Socket } from './charger-state';

export function activeReservations(state: ChargerState, at: Date): Reservation[] {
  return state.reservations.filter(({ expiresAt }) => expiresAt > at);
}

/** Adds or replaces a reservation where that is possible. */
export function reserve(
  state: ChargerState,
  reservation: Reservation,
  at: Date,
): 'Accepted' | 'Faulted' | 'Occupied' | 'Rejected' | 'Unavailable' {
  const { connectorId, reservationId, expiresAt } = reservation;
  const others = activeReservations(state, at).filter((each) => each.reservationId !== reservationId);
  const candidates = connectorId === 0 ? state.sockets : state.sockets.filter(({ id }) => id === connectorId);
  if (candidates.length === 0 || expiresAt <= at) return 'Rejected';
  if (candidates.every(({ override }) => override?.status === 'Faulted')) return 'Faulted';
  if (!state.isOperative || candidates.every((socket) => !socket.isOperative)) return 'Unavailable';
  const isTaken = connectorId !== 0 && others.some((each) => each.connectorId === connectorId);
  if (isTaken || openSockets({ ...state, reservations: others }, at).length === 0) return 'Occupied';
  if (candidates.every(isBusy)) return 'Occupied';
  state.reservations = [...others, reservation];
  return 'Accepted';
}

/** The reservation under which a tag may start at a socket: that of the socket before one of any socket. */
export function reservationFor(
  state: ChargerState,
  socket: number,
  tag: { readonly idTag: string; readonly parentIdTag?: string | undefined },
  at: Date,
): Reservation | undefined {
  const own = activeReservations(state, at).filter(
    (each) =>
      same(each.idTag, tag.idTag) || (each.parentIdTag !== undefined && same(each.parentIdTag, tag.parentIdTag)),
  );
  return own.find(({ connectorId }) => connectorId === socket) ?? own.find(({ connectorId }) => connectorId === 0);
}

/**
 * Returns whether a socket is kept for another tag: by its own reservation, or as one of those that reservations of any
 * socket need.
 */
export function isReserved(state: ChargerState, socket: Socket, at: Date): boolean {
  if (activeReservations(state, at).some(({ connectorId }) => connectorId === socket.id)) return true;
  return !isBusy(socket) && openSockets(state, at).length === 0;
}

/** The free sockets that no reservation needs. */
function openSockets(state: ChargerState, at: Date): Socket[] {
  const active = activeReservations(state, at);
  const free = state.sockets.filter(
    (socket) => socket.isOperative && !isBusy(socket) && !active.some(({ connectorId }) => connectorId === socket.id),
  );
  return free.slice(active.filter(({ connectorId }) => connectorId === 0).length);
}

/** True when there was one. */
export function cancelReservation(state: ChargerState, reservationId: number, at: Date): boolean {
  const active = activeReservations(state, at);
  state.reservations = active.filter((each) => each.reservationId !== reservationId);
  return state.reservations.length < active.length;
}

/** Returns why a tag may not start a session at a socket now; undefined when it may. */
export function startIssue(
  state: ChargerState,
  socketId: number,
  tag: { readonly idTag: string; readonly parentIdTag?: string | undefined },
  at: Date,
): string | undefined {
  const socket = socketOf(state, socketId);
  const name = `socket ${String(socketId)}`;
  if (socket === undefined) return `there is no ${name}`;
  if (isBusy(socket)) return `${name} has a session`;
  if (!state.isOperative || !socket.isOperative) return `${name} is unavailable`;
  if (socket.override?.status === 'Faulted' || socket.override?.status === 'Unavailable')
    return `${name} is out of order`;
  if (isReserved(state, socket, at) && reservationFor(state, socketId, tag, at) === undefined) {
    return `${name} is reserved for another tag`;
  }
  return undefined;
}

function same(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
