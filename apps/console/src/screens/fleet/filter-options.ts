// What the toolbar of the list and its dialog of filters offer both.
import { STATES } from '../../parts/states';
import { texts } from '../../texts';

export type Options = readonly (readonly [value: string, label: string])[];

export const STATE_OPTIONS: Options = [
  ['', texts.fleet.anyState],
  ...STATES.map((state) => [state, texts.states[state]] as const),
];
export const CONNECTION_OPTIONS: Options = [
  ['', texts.fleet.anyConnection],
  ['true', texts.fleet.onlyConnected],
  ['false', texts.fleet.notConnected],
];
