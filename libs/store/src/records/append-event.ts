// Appends events of writers other than charger-state to the outbox of a charger, in the update that makes the change. Each such
// update raises the revision, which the owner of the charger's partition compares: it never overwrites an event.
import { createIdSource, type Clock } from '@busbar/core';
import { toTimestamp, type Timestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import { MAX_APPENDED_EVENTS, type AnnounceAppended, type AppendedEvent } from '@busbar/domain/feed';
import type { Update } from '../port';
import { asJson } from './as-json';

/** The parts of an update. `at`: the time of the event; undefined where none is appended. */
export interface Appending extends Required<Pick<Update, 'set' | 'inc'>> {
  readonly at: Timestamp | undefined;
}

export interface EventAppender {
  /** False: nothing is appended, and an update is as without events. */
  readonly isOn: boolean;
  /** The parts of the update. `to`: the outbox as it was read, which may be full. */
  append(event: Unstamped, to?: Charger['outbox']): Appending;
  /** The outbox of a new charger with its first event. */
  first(event: Unstamped): Pick<Charger, 'outbox'>;
  readonly announce: AnnounceAppended;
  /** The time of an event. */
  readonly now: () => Timestamp;
}

/** An event without its time. */
export type Unstamped = AppendedEvent extends infer Each
  ? Each extends AppendedEvent
    ? Omit<Each, 'at'>
    : never
  : never;

const NOTHING: Appending = { set: {}, inc: {}, at: undefined };

/** Without `announce` no feed is written. */
export function createEventAppender(clock: Pick<Clock, 'now'>, announce?: AnnounceAppended): EventAppender {
  const newId = createIdSource();
  const now = (): Timestamp => toTimestamp(clock.now());
  const stamped = (event: Unstamped): readonly [id: string, event: AppendedEvent] => {
    const now = clock.now();
    return [newId(now.getTime()), { ...event, at: toTimestamp(now) }];
  };
  if (announce === undefined) {
    return { isOn: false, append: () => NOTHING, first: () => ({}), announce: () => undefined, now };
  }
  return {
    isOn: true,
    append(event, to) {
      const [id, stored] = stamped(event);
      const isFull = Object.keys(to?.others ?? {}).length >= MAX_APPENDED_EVENTS;
      const others = isFull ? {} : { [`outbox.others.${id}`]: asJson(stored) };
      return { set: { ...others, 'outbox.waiting': stored.at }, inc: { 'outbox.appended': 1 }, at: stored.at };
    },
    first(event) {
      const [id, stored] = stamped(event);
      return { outbox: { others: { [id]: stored }, appended: 1, waiting: stored.at } };
    },
    announce,
    now,
  };
}
