// SetChargingProfile, ClearChargingProfile and GetCompositeSchedule.
import type { V16Responses } from '@busbar/ocpp';
import { socketOf, type ChargerState } from '../charger/charger-state';
import {
  amperesOf,
  isCleared,
  isFull,
  limitsBetween,
  profileIssue,
  withProfile,
  type Profile,
} from '../charger/charging-profiles';
import type { ChargerControl } from '../charger/control';
import { loadOf } from '../charger/metering';
import type { ActionHandlers } from './action-handler';

type Composite = V16Responses['GetCompositeSchedule'];

/** 32 A on three phases: the limit of the charger itself. */
const CHARGER_W = 22_080;
const MAX_DURATION_S = 7 * 86_400;

export const chargingProfileActions: ActionHandlers = {
  /** OCPP 1.6, 5.16. */
  SetChargingProfile(control, { connectorId, csChargingProfiles: profile }) {
    const { state, clock } = control;
    if (!fits(state, connectorId, profile)) return { answer: { status: 'Rejected' } };
    const added = { socket: connectorId, profile, installedAt: clock.now() };
    const profiles = withProfile(state.profiles, added);
    if (isFull(profiles)) return { answer: { status: 'Rejected' } };
    install(control, profiles);
    return { answer: { status: 'Accepted' }, then: () => control.reportStatuses() };
  },

  /** 5.5. */
  ClearChargingProfile(control, criteria) {
    const { profiles } = control.state;
    const kept = profiles.filter((each) => !isCleared(each, criteria));
    install(control, kept);
    const status = kept.length < profiles.length ? 'Accepted' : 'Unknown';
    return { answer: { status }, then: () => control.reportStatuses() };
  },

  /** 5.7: of a connector, or of the charger's connection to the grid. */
  GetCompositeSchedule({ state, clock }, { connectorId, duration, chargingRateUnit = 'W' }) {
    const socket = socketOf(state, connectorId);
    const isUnknown = connectorId !== 0 && socket === undefined;
    if (isUnknown || duration < 1 || duration > MAX_DURATION_S) return { answer: { status: 'Rejected' } };
    return { answer: composite(state, { connectorId, duration, unit: chargingRateUnit, from: clock.now() }) };
  },
};

/** Takes the profiles from now on: energy up to now was drawn under those so far. */
export function install({ state, sessions }: ChargerControl, profiles: ChargerState['profiles']): void {
  for (const socket of state.sockets) sessions.read(socket, 'Sample.Periodic');
  state.profiles = profiles;
}

/** A TxProfile is for the session at its connector. */
function fits(state: ChargerState, connectorId: number, profile: Profile): boolean {
  const socket = socketOf(state, connectorId);
  if ((connectorId !== 0 && socket === undefined) || profileIssue(connectorId, profile) !== undefined) return false;
  if (profile.chargingProfilePurpose !== 'TxProfile') return true;
  if (socket?.session === undefined) return false;
  return profile.transactionId === undefined || profile.transactionId === socket.session.transactionId;
}

interface Wanted {
  readonly connectorId: number;
  readonly duration: number;
  readonly unit: string;
  readonly from: Date;
}

function composite(state: ChargerState, { connectorId, duration, unit, from }: Wanted): Composite {
  const load = loadOf(state, socketOf(state, connectorId) ?? { id: 0 });
  // Without a session, relative schedules are shown as if one began now.
  const shown = { ...load, sessionStartedAt: load.sessionStartedAt ?? from };
  const periods = limitsBetween(state.profiles, shown, [from, new Date(from.getTime() + duration * 1000)]);
  return {
    status: 'Accepted',
    connectorId,
    scheduleStart: from.toISOString(),
    chargingSchedule: {
      duration,
      chargingRateUnit: unit,
      chargingSchedulePeriod: periods.map(({ from: start, limitW = CHARGER_W }) => ({
        startPeriod: Math.round((start.getTime() - from.getTime()) / 1000),
        limit: oneDecimal(unit === 'A' ? amperesOf(limitW) : limitW),
      })),
    },
  };
}

/** The standard's limits have at most one decimal. */
function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
