// The periodic event streams of OCPP 2.1: a monitor that was set with one has it. Periodic monitors send the values of their variables.
import type { ChargerState, EventStream, Monitor } from '../charger/charger-state';
import type { ActionHandlers2, Control2 } from './action-handler';
import { readVariable } from './variables';

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
export async function openStreams(control: Control2, monitors: readonly Monitor[]): Promise<void> {
  const { state, translation } = control;
  for (const monitor of monitors) {
    const { id, type, periodicEventStream: params } = monitor;
    if (params === undefined) continue;
    const stream = { id, params, variableMonitoringId: id };
    const answer = await translation.ask('OpenPeriodicEventStream', { constantStreamData: stream });
    if (answer?.['status'] !== 'Accepted' || !hasMonitor(state, id)) continue;
    state.eventStreams = [...state.eventStreams.filter((each) => each.id !== id), stream];
    if (type.startsWith('Periodic')) readFrom(control, monitor, []);
  }
}

interface Reading {
  readonly at: Date;
  readonly v: string;
}

/** So many are sent together at most, whatever the stream wants. */
const MAX_READINGS = 100;
const MAX_PERIOD_S = 86_400;

/** Reads the variable of the monitor periodically, and sends the values as the stream wants them, until that is closed (N11). */
function readFrom(control: Control2, monitor: Monitor, readings: readonly Reading[]): void {
  const { clock, state, translation } = control;
  const periodS = Math.min(Math.max(1, monitor.value), MAX_PERIOD_S);
  clock.after(periodS * 1_000, () => {
    const stream = state.eventStreams.find(({ id }) => id === monitor.id);
    // One that was closed and opened again reads by itself.
    if (stream === undefined || !state.monitors.includes(monitor)) return;
    const { component, variable } = monitor;
    const { attributeValue: v = '' } = readVariable(state.configuration, { component, variable });
    const now = clock.now();
    const all = [...readings, { at: now, v }];
    const first = all[0]?.at ?? now;
    if (!isDue(stream, all.length, now.getTime() - first.getTime())) return readFrom(control, monitor, all);
    const data = all.map(({ at, v: value }) => ({ t: (at.getTime() - first.getTime()) / 1_000, v: value }));
    translation.sendUnanswered('NotifyPeriodicEventStream', {
      id: stream.id,
      pending: 0,
      basetime: first.toISOString(),
      data,
    });
    readFrom(control, monitor, []);
  });
}

/** Where neither is wanted, each value is sent. */
function isDue({ params: { interval, values } }: EventStream, count: number, sinceMs: number): boolean {
  if (count >= Math.min(values ?? MAX_READINGS, MAX_READINGS)) return true;
  return interval === undefined ? values === undefined : sinceMs >= interval * 1_000;
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
