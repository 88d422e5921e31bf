// Requests the whole configuration of a charger of OCPP 2.x, which reports it in parts after its answer, and waits for the last part.
import { AppError, delay } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import type { Commanded } from './record-command';

export interface RequestedConfiguration extends Commanded {
  /** The charger's answer to the request: only with Accepted a report follows. */
  readonly status: string;
  /** With what has come. */
  readonly charger: Charger;
}

/** Between two reads of the record. */
const LOOK_MS = 200;

/**
 * Resolves when the report of that request is complete in the record, or the charger refused it. Throws as `callCharger` does, and
 * `charger_timeout` where the report is not complete within the time of the command; what came by then is stored.
 */
export async function requestConfiguration(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  requestId: number,
  command: ChargerCommand<{ readonly status: string }>,
): Promise<RequestedConfiguration> {
  const { status, commandId } = await callCharger(deps, owner, command);
  const read = () => readOwnedCharger(deps, owner);
  if (status !== 'Accepted') return { status, commandId, charger: await read() };
  for (let waitedMs = 0; waitedMs <= command.timeoutMs; waitedMs += LOOK_MS) {
    const charger = await read();
    const report = charger.reported.reports?.find((each) => each.requestId === requestId);
    if (report?.isComplete === true) return { status, commandId, charger };
    await delay(deps.clock, LOOK_MS);
  }
  throw new AppError(
    'charger_timeout',
    'The charger accepted the request, and its report was not complete in time. What came is stored.',
  );
}
