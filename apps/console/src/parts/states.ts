// The states of sockets and chargers, and the tone of each. Pure.
import type { components } from '../api/generated/v2';

export type State = components['schemas']['ChargingState'];
export type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'idle';

const TONES: Record<State, Tone> = {
  Charging: 'busy',
  Available: 'good',
  Preparing: 'wait',
  SuspendedCAR: 'wait',
  SuspendedCHARGER: 'wait',
  Finishing: 'wait',
  Reserved: 'wait',
  Booting: 'wait',
  Error: 'bad',
  Unavailable: 'idle',
  Offline: 'idle',
  Info: 'wait',
};

/** In the order in which figures and filters show them. */
export const STATES = Object.keys(TONES) as State[];

export function isState(text: string): text is State {
  return Object.hasOwn(TONES, text);
}

export function toneOf(state: State): Tone {
  return TONES[state];
}
