// Power and energy of a socket, its readings, and the status that it reports.
import type { V16Requests } from '@busbar/ocpp';
import type { ChargerState, Session, Socket, Status } from './charger-state';
import { amperesOf, limitAt, limitsBetween, VOLTS, type Load } from './charging-profiles';
import { numberOf, VEHICLE_POWER_KEY } from './configuration';
import { isReserved } from './reservations';

export type Reading = V16Requests['MeterValues']['meterValue'][number];
type Sample = Reading['sampledValue'][number];

const MS_PER_HOUR = 3_600_000;

/** The power that the vehicle at a socket draws at a time, in W. */
export function powerAt(state: ChargerState, socket: Socket, at: Date): number {
  if (socket.phase !== 'charging') return 0;
  const vehicleW = numberOf(state.configuration, VEHICLE_POWER_KEY);
  return Math.min(vehicleW, limitAt(state.profiles, loadOf(state, socket), at) ?? Infinity);
}

/** Counts the energy up to a time, by the limits in between. Gives what was added, in Wh. */
export function meterUntil(state: ChargerState, socket: Socket, at: Date): number {
  const from = socket.meteredAt;
  if (at <= from) return 0;
  socket.meteredAt = at;
  if (socket.phase !== 'charging') return 0;
  const vehicleW = numberOf(state.configuration, VEHICLE_POWER_KEY);
  const periods = limitsBetween(state.profiles, loadOf(state, socket), [from, at]);
  const addedWh = periods.reduce((sum, { from: start, limitW = Infinity }, i) => {
    const hours = ((periods[i + 1]?.from ?? at).getTime() - start.getTime()) / MS_PER_HOUR;
    return sum + Math.min(vehicleW, limitW) * hours;
  }, 0);
  socket.meterWh += addedWh;
  return addedWh;
}

/** The reading of a socket now, with the measurands of MeterValuesSampledData. `meterUntil` comes first. */
export function readingOf(state: ChargerState, socket: Socket, at: Date, context: Sample['context']): Reading {
  const powerW = powerAt(state, socket, at);
  const samples: Readonly<Record<string, Omit<Sample, 'measurand'>>> = {
    'Energy.Active.Import.Register': { value: String(Math.round(socket.meterWh)), unit: 'Wh' },
    'Power.Active.Import': { value: String(Math.round(powerW)), unit: 'W' },
    'Current.Import': { value: amperesOf(powerW).toFixed(1), unit: 'A' },
    Voltage: { value: String(VOLTS), unit: 'V' },
  };
  const wanted = (state.configuration.get('MeterValuesSampledData') ?? '').split(',').map((name) => name.trim());
  const sampledValue = Object.entries(samples)
    .filter(([measurand]) => wanted.includes(measurand))
    .map(([measurand, sample]) => ({ measurand, ...sample, ...(context === undefined ? {} : { context }) }));
  return { timestamp: at.toISOString(), sampledValue };
}

/** The status of a socket; 0 is the charger. */
export function statusOf(state: ChargerState, socket: Socket | undefined, at: Date): Status {
  if (socket === undefined) return state.isOperative ? 'Available' : 'Unavailable';
  if (socket.override !== undefined) return socket.override.status;
  if (socket.phase === 'preparing') return 'Preparing';
  if (socket.phase === 'charging') return powerAt(state, socket, at) > 0 ? 'Charging' : suspension(state);
  if (socket.phase === 'finishing') return 'Finishing';
  if (!state.isOperative || !socket.isOperative) return 'Unavailable';
  return isReserved(state, socket, at) ? 'Reserved' : 'Available';
}

/** Returns the load that the profiles of a socket are applied to. */
export function loadOf(
  state: ChargerState,
  socket: { readonly id: number; readonly session?: Session | undefined },
): Load {
  return {
    socket: socket.id,
    sessionStartedAt: socket.session?.startedAt,
    hasPriority: socket.session?.hasPriority === true,
    activeSessions: state.sockets.filter(({ phase }) => phase === 'charging').length,
  };
}

function suspension(state: ChargerState): Status {
  return numberOf(state.configuration, VEHICLE_POWER_KEY) > 0 ? 'SuspendedEVSE' : 'SuspendedEV';
}
