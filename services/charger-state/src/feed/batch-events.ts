// Collects the events of a batch. A handler emits events while it folds a message; they count only where the record contains
// the message for the first time. Each is serialized once, and numbered in its charger's sequence.
import type { EventData, EventName } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { emitAppended } from './connection-events';
import { shortened } from './shortened';

export type Emit = <Name extends EventName>(name: Name, data: EventData<Name>) => void;

/** New events of one charger. */
export interface NewEvents {
  /** JSON objects, separated by commas. */
  readonly items: string;
  readonly first: number;
  readonly next: number;
}

export interface BatchEvents {
  /** Called by handlers, in the order in which readers get the events. */
  readonly emit: Emit;
  /** The emitted events are of this charger. `charger`: its record before the message. */
  accept(charger: Charger, receivedAt: string): void;
  /** The record contains the message already: its events were made before. */
  drop(): void;
  /**
   * Numbers the events that other writers appended to the charger's record, before any of its own, and returns the record without
   * them. The same record where there are none.
   */
  takeAppended(charger: Charger): Charger;
  /** Appended events beyond those that a record stores, which became one. */
  readonly collapsed: () => number;
  /** By charger id. */
  readonly byCharger: ReadonlyMap<string, NewEvents>;
  readonly counts: ReadonlyMap<EventName, number>;
}

/** Returns the external id of the site of a charger's registration; null where the site has none. */
export type ExternalSiteId = (charger: Charger) => string | null;

export function createBatchEvents(externalSiteId: ExternalSiteId): BatchEvents {
  const byCharger = new Map<string, NewEvents>();
  const counts = new Map<EventName, number>();
  let names: EventName[] = [];
  let data: unknown[] = [];
  const drop = (): void => {
    if (names.length === 0) return;
    names = [];
    data = [];
  };
  let collapsed = 0;
  const events: BatchEvents = {
    byCharger,
    counts,
    collapsed: () => collapsed,
    takeAppended(charger) {
      const { outbox } = charger;
      if (outbox?.appended === undefined) return charger;
      const { others = {}, appended, waiting, ...own } = outbox;
      const stored = Object.keys(others).sort();
      for (const id of stored) {
        const event = others[id];
        if (event === undefined) continue;
        emitAppended(events.emit, event, charger);
        events.accept(charger, event.at);
      }
      if (appended > stored.length) {
        collapsed += appended - stored.length;
        events.emit('charger.updated', { changed: ['*'] });
        events.accept(charger, waiting ?? charger.registered.updatedAt);
      }
      return { ...charger, outbox: own };
    },
    emit(name, each) {
      names.push(name);
      data.push(each);
    },
    accept(charger, receivedAt) {
      if (names.length === 0) return;
      const known = byCharger.get(charger.chargerId) ?? begin(charger);
      const middle = middleOf(charger, externalSiteId(charger));
      let { items, next } = known;
      for (const [n, name] of names.entries()) {
        const sequence = String(next);
        const head = `{"id":"evt_${charger.incarnationId}_${sequence}","type":"${name}","timestamp":"${receivedAt}","sequence":${sequence}`;
        items += `${items === '' ? '' : ','}${head}${middle}${shortened(name, data[n])}}`;
        next += 1;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      byCharger.set(charger.chargerId, { items, first: known.first, next });
      drop();
    },
    drop,
  };
  return events;
}

function begin({ outbox }: Charger): NewEvents {
  const first = outbox?.next ?? 1;
  return { items: '', first, next: first };
}

/** From the charger to the data. */
function middleOf({ chargerId, registered }: Charger, externalSiteId: string | null): string {
  const site = `"siteId":${String(registered.siteId)},"externalSiteId":${JSON.stringify(externalSiteId)}`;
  return `,"chargerId":${JSON.stringify(chargerId)},${site},"data":`;
}

/** For a replica without a feed. */
export const NO_EVENTS: BatchEvents = {
  emit: () => undefined,
  accept: () => undefined,
  drop: () => undefined,
  takeAppended: (charger) => charger,
  collapsed: () => 0,
  byCharger: new Map(),
  counts: new Map(),
};
