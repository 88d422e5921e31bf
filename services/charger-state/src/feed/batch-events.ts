// Collects the events of a batch. A handler emits events while it folds a message; they count only where the record contains
// the message for the first time. Each is serialized once, and numbered in its charger's sequence.
import type { EventData, EventName, ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { emitAppended } from './connection-events';
import { shortened } from './shortened';

/** Ids of replayed dead letters in an outbox. A redelivery follows soon. */
const MAX_REPLAYED = 16;

export type Emit = <Name extends EventName>(name: Name, data: EventData<Name>) => void;

/** New events of one charger. */
export interface NewEvents {
  /** JSON objects, separated by commas. */
  readonly items: string;
  readonly first: number;
  readonly next: number;
  readonly replayed?: readonly string[];
}

export interface BatchEvents {
  /** Called by handlers, in the order in which readers get the events. */
  readonly emit: Emit;
  /** The emitted events are of this charger. `charger`: its record before the message. */
  accept(charger: Charger, receivedAt: string): void;
  /**
   * The same for a replayed dead letter, once for each. `rows`: its position is in the record already, which it does not change, so
   * only the events of its rows count. Returns whether there were any.
   */
  acceptReplayed(charger: Charger, letter: Pick<ReportEnvelope, 'id' | 'receivedAt'>, which: 'all' | 'rows'): boolean;
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
  const dropStates = (): void => {
    const ofRows = [...names.keys()].filter((n) => isOfRow(names[n]));
    data = ofRows.map((n) => data[n]);
    names = names.filter(isOfRow);
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
      byCharger.set(charger.chargerId, { ...known, items, next });
      drop();
    },
    acceptReplayed(charger, { id, receivedAt }, which) {
      const { replayed = [] } = byCharger.get(charger.chargerId) ?? begin(charger);
      if (replayed.includes(id)) drop();
      if (which === 'rows') dropStates();
      if (names.length === 0) return false;
      events.accept(charger, receivedAt);
      const known = byCharger.get(charger.chargerId) ?? begin(charger);
      byCharger.set(charger.chargerId, { ...known, replayed: [...replayed, id].slice(-MAX_REPLAYED) });
      return true;
    },
    drop,
  };
  return events;
}

function begin({ outbox }: Charger): NewEvents {
  const first = outbox?.next ?? 1;
  const begun = { items: '', first, next: first };
  return outbox?.replayed === undefined ? begun : { ...begun, replayed: outbox.replayed };
}

/** Sessions and meter values have rows of their own. */
function isOfRow(name: EventName | undefined): boolean {
  return name === 'session.started' || name === 'session.ended' || name === 'meter.values';
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
  acceptReplayed: () => false,
  drop: () => undefined,
  takeAppended: (charger) => charger,
  collapsed: () => 0,
  byCharger: new Map(),
  counts: new Map(),
};
