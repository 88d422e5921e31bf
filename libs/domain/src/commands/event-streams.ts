// Lists the event streams of a charger: as stored, or as it lists them now.
import type { EventStreams, EventStreamsReader } from '../device-state/event-streams';
import type { Charger } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';
import type { Commanded } from './record-command';
import { untilStored } from './until-stored';

export interface EventStreamDeps extends CallChargerDeps {
  readonly eventStreams: EventStreamsReader;
}

/** The event streams of a charger as stored. Throws `not_found` when the charger is unknown or another client's. */
export async function readEventStreams(
  deps: Pick<EventStreamDeps, 'chargers' | 'eventStreams'>,
  owner: ChargerOwner,
): Promise<{ readonly charger: Charger; readonly eventStreams: EventStreams }> {
  const charger = await readOwnedCharger(deps, owner);
  return { charger, eventStreams: await deps.eventStreams.read(charger) };
}

/** Asks the charger for its event streams. Its list is then stored, unless that takes too long. Throws as `callCharger` does. */
export async function refreshEventStreams<Answer extends object>(
  deps: EventStreamDeps,
  owner: ChargerOwner,
  command: ChargerCommand<Answer>,
): Promise<Answer & Commanded> {
  const answer = await callCharger(deps, owner, command);
  const charger = await readOwnedCharger(deps, owner);
  await untilStored(deps, answer.commandId, async () => (await deps.eventStreams.read(charger)).commandId);
  return answer;
}
