// Checks what must be true of the feed of a model, after everything that may happen.
import type { EventData, EventName, FeedEvent } from '@busbar/contracts';
import { chargerState, type Charger } from '@busbar/domain/chargers';
import type { ModelWorld } from './model-world';

type Sequenced = FeedEvent & { readonly sequence: number };

/** All events, in the order of pages. */
export function eventsOf({ feed }: Pick<ModelWorld, 'feed'>): readonly Sequenced[] {
  return feed.inOrder().flatMap(({ events }) => JSON.parse(events) as Sequenced[]);
}

/** A charger's sequences are 1…k, each once and in order, and its record counts to k. Pages are 1…n. */
export function feedIsWhole(world: ModelWorld, chargerId: string): void {
  const pages = world.feed.inOrder().map(({ page }) => page);
  expect(pages).toEqual(pages.map((_page, n) => n + 1));
  const sequences = eventsOf(world)
    .filter((event) => event.chargerId === chargerId)
    .map(({ sequence }) => sequence);
  const next = world.stores.chargers.get(chargerId)?.outbox?.next ?? 1;
  expect(sequences).toEqual(Array.from({ length: next - 1 }, (_each, n) => n + 1));
}

/**
 * Each connection began and ended in turn, up to the record's. The last states are the record's, each change of its owner is there
 * once, and each session began once and ended once.
 */
export function eventsAreTrue(world: ModelWorld, chargerId: string): void {
  const events = eventsOf(world).filter((event) => event.chargerId === chargerId);
  const record = world.stores.chargers.get(chargerId);
  const states = ofType(events, 'socket.state_changed');
  expect(states.at(-1)?.data.state).toBe(record?.reported.sockets['1']?.state);
  expect(ofType(events, 'charger.updated')).toHaveLength(world.renames.get(chargerId) ?? 0);
  if (record !== undefined) connectionsAreTrue(events, record);
  const sessions = [...world.stores.startedSessions.values()].filter((session) => session.chargerId === chargerId);
  const started = ofType(events, 'session.started').map(({ data }) => data.transactionId);
  expect(started.toSorted(byNumber)).toEqual(sessions.map(({ transactionId }) => transactionId).toSorted(byNumber));
  const ended = ofType(events, 'session.ended').filter(({ data }) => !data.superseded);
  for (const { transactionId, endTime } of sessions) {
    const found = ended.filter(({ data }) => data.transactionId === transactionId).length;
    expect(found).toBe(endTime === null ? 0 : 1);
  }
}

function connectionsAreTrue(events: readonly FeedEvent[], record: Charger): void {
  let isActive = false;
  for (const { type, data } of events) {
    if (type === 'charger.connected') {
      expect((data as EventData<'charger.connected'>).replaced).toBe(isActive);
      isActive = true;
    } else if (type === 'charger.disconnected') {
      expect(isActive).toBe(true);
      isActive = false;
    }
  }
  expect(isActive).toBe(record.connection.active);
  expect(ofType(events, 'charger.state_changed').at(-1)?.data.state ?? 'Offline').toBe(chargerState(record));
}

function ofType<Name extends EventName>(events: readonly FeedEvent[], name: Name): FeedEvent<Name>[] {
  return events.filter((event) => event.type === name) as unknown as FeedEvent<Name>[];
}

function byNumber(a: number, b: number): number {
  return a - b;
}
