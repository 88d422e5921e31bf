import { apiProcessSettings } from '@busbar/api';
import { aloneSettings as chargerState } from '@busbar/charger-state';
import { aloneSettings as gateway } from '@busbar/ocpp-gateway';
import { aloneSettings as push } from '@busbar/push';
import { aloneSettings as v2Api } from '@busbar/v2-api';
import { describeSettings, type ProcessSpec } from '@busbar/runtime';
import { allInOneSettings } from './config';

/** Every process with the variables that it reads. */
export const processSpecs: readonly ProcessSpec[] = [
  { process: 'npm start', settings: allInOneSettings },
  { process: 'ocpp-gateway', settings: gateway },
  { process: 'charger-state', settings: chargerState },
  { process: 'push', settings: push },
  { process: 'v2-api', settings: v2Api },
  { process: 'legacy-api', settings: apiProcessSettings },
];

/** The text of deploy/env.example: every variable that any process reads, with its default. */
export function describeEnvironment(): string {
  return describeSettings(processSpecs);
}
