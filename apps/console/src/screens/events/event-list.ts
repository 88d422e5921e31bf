// The newest events, and those that wait until the reader asks for them. Pure.
import type { Schemas } from '../../api/client';
import { agrees } from '../../model/command-outcome';

type Event = Schemas['Event'];

export interface EventList {
  readonly shown: readonly Event[];
  readonly waiting: readonly Event[];
}

/** More would make the page slow, and nobody reads them: filters do. */
export const MAX_EVENTS = 150;
export const NO_EVENTS: EventList = { shown: [], waiting: [] };

/** Adds events, newest first. While the list is held, new ones wait. An event that is there already changes nothing. */
export function withEvents(list: EventList, events: readonly Event[], isHeld: boolean): EventList {
  const known = new Set(list.shown.map(({ id }) => id));
  const fresh = events.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return list;
  return isHeld
    ? { shown: list.shown, waiting: newestOf([...list.waiting, ...fresh]) }
    : { shown: newestOf([...list.shown, ...list.waiting, ...fresh]), waiting: [] };
}

/** Adds what was read: older events take their place, and move none that waits; newer ones wait while the list is held. */
export function withStored(list: EventList, events: readonly Event[], isHeld: boolean): EventList {
  const [newest] = list.shown;
  const isNewer = (event: Event) => newest !== undefined && newestFirst(event, newest) < 0;
  const older = events.filter((event) => !isNewer(event));
  return withEvents({ ...list, shown: newestOf([...list.shown, ...older]) }, events.filter(isNewer), isHeld);
}

/** Shows those that waited. */
export function withWaiting({ shown, waiting }: EventList): EventList {
  return { shown: newestOf([...shown, ...waiting]), waiting: [] };
}

function newestOf(events: readonly Event[]): readonly Event[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].sort(newestFirst).slice(0, MAX_EVENTS);
}

/** The frames of a command are stored about when its event is. */
const FRAMES_AFTER_MS = 1_000;

/** What `command.completed` says, and the end of the log that shows its frames last; undefined for other events. */
export function endedCommandOf(event: Event) {
  if (event.type !== 'command.completed') return undefined;
  const { commandId, operation, outcome } = event.data;
  const framesUntil = new Date(Date.parse(event.timestamp) + FRAMES_AFTER_MS).toISOString();
  return { commandId, operation, outcome, isFailed: !agrees(outcome, operation), framesUntil };
}

/** Events of one charger by their sequence; between chargers there is no order but the time. */
function newestFirst(one: Event, other: Event): number {
  if (one.chargerId === other.chargerId && one.sequence !== null && other.sequence !== null) {
    return other.sequence - one.sequence;
  }
  return other.timestamp < one.timestamp ? -1 : other.timestamp > one.timestamp ? 1 : 0;
}
