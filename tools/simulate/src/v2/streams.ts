// The periodic event streams of OCPP 2.1: a monitor that was set with one has it. No value of its variable is sent.
import type { ChargerState, Monitor } from '../charger/charger-state';
import type { ActionHandlers2, Control2 } from './action-handler';

export const streamActions: ActionHandlers2 = {
  /** OCPP 2.1, N14. */
  AdjustPeriodicEventStream({ state }, { id, params }) {
    const isKnown = state.eventStreams.some((stream) => stream.id === id);
    state.eventStreams = state.eventStreams.map((stream) => (stream.id === id ? { ...stream, params } : stream));
    return { answer: { status: isKnown ? 'Accepted' : 'Rejected' } };
  },

  /** N13. */
  GetPeriodicEventStream: ({ state: { eventStreams } }) => ({
    answer: eventStreams.length === 0 ? {} : { constantStreamData: [...eventStreams] },
  }),
};

/** Requests the streams of monitors that were set (N11). A stream has the number of its monitor. */
export async function openStreams({ state, translation }: Control2, monitors: readonly Monitor[]): Promise<void> {
  for (const { id, periodicEventStream: params } of monitors) {
    if (params === undefined) continue;
    const stream = { id, params, variableMonitoringId: id };
    const answer = await translation.ask('OpenPeriodicEventStream', { constantStreamData: stream });
    if (answer?.['status'] !== 'Accepted' || !hasMonitor(state, id)) continue;
    state.eventStreams = [...state.eventStreams.filter((each) => each.id !== id), stream];
  }
}

/** Closes the streams whose monitors are gone (N12). */
export async function closeStreams({ state, translation }: Control2): Promise<void> {
  const ended = state.eventStreams.filter(({ id }) => !hasMonitor(state, id));
  state.eventStreams = state.eventStreams.filter((stream) => !ended.includes(stream));
  for (const { id } of ended) await translation.notify('ClosePeriodicEventStream', { id });
}

function hasMonitor({ monitors }: ChargerState, id: number): boolean {
  return monitors.some((monitor) => monitor.id === id);
}
