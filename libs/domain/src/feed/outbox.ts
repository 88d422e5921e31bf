import type { EventData, EventName } from '@busbar/contracts';
import type { Charger } from '../chargers/charger';
import type { Timestamp } from '../timestamp';

/**
 * What a charger's last change that made events says of them. It is written with that change, so that there is no change without
 * its events, and no event without its change. The next change with events replaces it.
 */
export interface Outbox extends Partial<OutboxItems> {
  /** The page of the feed that the events are going into. */
  readonly page: number;
  /** The sequence of the charger's next event. */
  readonly next: number;
  /** The ids of the last replayed dead letters that made events: positions do not show their redelivery. */
  readonly replayed?: readonly string[];
}

/** The events themselves, where the page is inserted after the change. Absent where both are one commit. */
export interface OutboxItems {
  /** JSON objects, separated by commas. Serialized once, and never parsed on the way to a reader. */
  readonly items: string;
  /** The sequence of the first of them. */
  readonly first: number;
}

/** The highest sequence in the outbox. */
export function lastSequence({ next }: Pick<Outbox, 'next'>): number {
  return next - 1;
}

/**
 * An event that a writer other than the owner of the charger's partition appended in its own write. The owner numbers it, and adds
 * the states of sockets to `charger.disconnected`.
 */
export type AppendedEvent =
  | Appended<'charger.created'>
  | Appended<'charger.updated'>
  | Appended<'session.ended'>
  | { readonly type: 'charger.disconnected'; readonly at: Timestamp; readonly data: { readonly reason: 'lapsed' } };

interface Appended<Name extends EventName> {
  readonly type: Name;
  readonly at: Timestamp;
  readonly data: EventData<Name>;
}

/** The appended events that the owner has not numbered. */
export interface AppendedEvents {
  /** By ULID, whose order is the order of the events. At most `MAX_APPENDED_EVENTS`; later ones are only counted. */
  readonly others?: Readonly<Record<string, AppendedEvent>>;
  /** How many were appended, stored or not. */
  readonly appended?: number;
  /** When the last one was appended. Indexed. */
  readonly waiting?: Timestamp;
}

/** As a record has it: without the fields of `Outbox` before the first numbered event. */
export type StoredOutbox = Partial<Outbox> & AppendedEvents;

/** Stored in one outbox. Only chargers without an owner have more: no replica of charger-state runs. */
export const MAX_APPENDED_EVENTS = 200;

/** Chargers whose appended events nobody has numbered yet. */
export interface WaitingChargers {
  /** Those whose last event was appended before, at most `limit`, by id. */
  before(at: Timestamp, limit: number): Promise<readonly WaitingCharger[]>;
}

export interface WaitingCharger extends Pick<Charger, 'chargerId' | 'incarnationId'> {
  /** When its last event was appended, or it was deleted. */
  readonly at: Timestamp;
}

/** Announces that events were appended, so that the owners of the chargers number them. Must not throw. */
export type AnnounceAppended = (chargers: readonly Pick<Charger, 'chargerId' | 'incarnationId'>[]) => void;
