// The events that follow from the difference of two records, whatever message changed it.
import { chargerState, viewSockets, type Charger } from '@busbar/domain/chargers';
import { endedData, type AppendedEvent } from '@busbar/domain/feed';
import type { Session } from '@busbar/domain/sessions';
import type { Emit } from './batch-events';

/** A connection that became active, was replaced by a newer one, or ended. */
export function emitConnection(emit: Emit, before: Charger, after: Charger): void {
  const [was, is] = [before.connection, after.connection];
  if (was === is) return;
  const isOther = was.connectionId !== is.connectionId;
  if (is.active && (!was.active || isOther)) {
    emit('charger.connected', {
      ocppVersion: is.ocppVersion,
      connectedSince: is.since,
      replaced: was.active,
      sockets: socketStates(after),
    });
  } else if (was.active && !is.active) {
    emit('charger.disconnected', { reason: isOther ? 'lapsed' : 'closed', sockets: socketStates(after) });
  }
}

/** The charger's own state, as both APIs show it. */
export function emitState(emit: Emit, before: Charger, after: Charger): void {
  if (before.connection === after.connection && before.reported.ownState === after.reported.ownState) return;
  const [previousState, state] = [chargerState(before), chargerState(after)];
  if (state !== previousState) emit('charger.state_changed', { state, previousState });
}

/** An event that another writer appended, and what follows from it. `charger`: the record since then, which no message changed. */
export function emitAppended(emit: Emit, event: AppendedEvent, charger: Charger): void {
  switch (event.type) {
    case 'charger.created':
      return emit(event.type, event.data);
    case 'charger.updated':
      return emit(event.type, event.data);
    case 'session.ended':
      return emit(event.type, event.data);
    case 'charger.disconnected':
      emit(event.type, { ...event.data, sockets: socketStates(charger) });
      emit('charger.state_changed', { state: chargerState(charger), previousState: charger.reported.ownState });
  }
}

/**
 * A charger's last events. `charger`: its record as it was deleted; `sessions`: those that it shows in progress, whose stops will never
 * come.
 */
export function emitDeleted(emit: Emit, charger: Charger, sessions: readonly Session[]): void {
  // One that has ended was stored with its end, and the record was not.
  for (const session of sessions) emit('session.ended', endedData(session, session.endTime === null));
  if (charger.connection.active) {
    const connection = { ...charger.connection, active: false, since: null };
    emit('charger.disconnected', { reason: 'deleted', sockets: socketStates({ ...charger, connection }) });
  }
  emit('charger.deleted', {});
}

function socketStates(charger: Charger): { readonly socketId: number; readonly state: string }[] {
  return viewSockets(charger).map(({ id, state }) => ({ socketId: id, state }));
}
