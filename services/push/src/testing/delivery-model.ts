// A feed in memory whose events are delivered by `createDeliveries` under any sequence of outcomes, saves and kills.
import { HEALTHY, type AttemptOutcome, type DeliveryProgress, type WebhookHealth } from '@busbar/domain/webhooks';
import {
  createDeliveries,
  type Deliveries,
  type Delivery,
  type NamedDelivery,
  type PageEvent,
} from '../delivery/deliveries';

export interface ModelOptions {
  readonly ordering: 'charger' | 'none';
  readonly maxInFlight: number;
  /** By stream, the chargers of each page's events; null: an event that is not wanted. */
  readonly streams: readonly (readonly (readonly (string | null)[])[])[];
}

export type Step =
  | { readonly kind: 'load' | 'send' | 'save' | 'kill' | 'wait' | 'makeRoom' }
  | { readonly kind: 'end'; readonly which: number; readonly outcome: AttemptOutcome };

interface Saved {
  readonly progress: DeliveryProgress;
  readonly health: WebhookHealth;
}

const HOUR_MS = 3_600_000;

export function createDeliveryModel({ ordering, maxInFlight, streams }: ModelOptions) {
  const zeros = streams.map(() => 0);
  let saved: Saved = { progress: { pages: zeros, taken: zeros, above: [], deferred: [] }, health: HEALTHY };
  let state: Deliveries = open();
  let inFlight: Delivery[] = [];
  const searchedTo = new Map<Delivery, number>();
  let nowMs = 1;
  /** In the order of their first success. */
  const delivered: string[] = [];
  const dead = new Set<string>();
  /** What was saved as delivered or parked. */
  let finished = new Set<string>();
  /** The same, saved or not, since the last kill. */
  let known = new Set<string>();
  /** Sent although they were finished. */
  const repeated: string[] = [];

  function open(): Deliveries {
    return createDeliveries(saved, { ordering, maxInFlight, random: () => 0.5, timeScale: 1 });
  }

  function eventsOf(stream: number, page: number): readonly PageEvent[] {
    return (streams[stream]?.[page - 1] ?? []).flatMap((chargerId, index) =>
      chargerId === null ? [] : [{ index, chargerId, eventId: idOf(stream, page, index) }],
    );
  }

  function load(): boolean {
    for (const [stream, pages] of streams.entries()) {
      const page = state.lastLoaded(stream) + 1;
      if (page > pages.length || !state.hasRoom()) continue;
      state.add({ stream, page, count: pages[page - 1]?.length ?? 0 }, eventsOf(stream, page));
      return true;
    }
    return false;
  }

  /** As the runner does for a charger that was deferred. */
  /** Pages that are loaded while it searches are not seen. */
  function search(delivery: Delivery): NamedDelivery | undefined {
    const last = searchedTo.get(delivery) ?? 0;
    for (let { page } = delivery; page <= last; page += 1) {
      const from = page === delivery.page ? delivery.index : 0;
      const next = eventsOf(delivery.partition, page).find(
        ({ index, chargerId }) => index >= from && chargerId === delivery.chargerId,
      );
      if (next === undefined) continue;
      const place = { partition: delivery.partition, page, index: next.index };
      return state.found(delivery, place, next.eventId);
    }
    if (state.caughtUp(delivery, last)) return undefined;
    searchedTo.set(delivery, state.lastLoaded(delivery.partition));
    return search(delivery);
  }

  function send(): boolean {
    const delivery = state.next(nowMs);
    if (delivery === undefined) return false;
    searchedTo.set(delivery, state.lastLoaded(delivery.partition));
    inFlight.push(delivery);
    return true;
  }

  function end(which: number, outcome: AttemptOutcome): void {
    const [taken] = inFlight.splice(which % Math.max(inFlight.length, 1), 1);
    const delivery = taken === undefined || isNamed(taken) ? taken : search(taken);
    if (delivery === undefined) return;
    if (known.has(delivery.eventId)) repeated.push(delivery.eventId);
    nowMs += 1;
    if (outcome === 'delivered') known.add(delivery.eventId);
    if (outcome === 'delivered' && !delivered.includes(delivery.eventId)) delivered.push(delivery.eventId);
    const effect = state.ended(delivery, { outcome, startedMs: nowMs - 1, endedMs: nowMs, messages: 0 });
    if (effect.kind !== 'dead') return;
    dead.add(delivery.eventId);
    known.add(delivery.eventId);
    state.complete(delivery, nowMs);
  }

  function save(): void {
    saved = structuredClone({ progress: state.progress(), health: state.health() });
    finished = new Set(known);
  }

  function run(step: Step): void {
    if (step.kind === 'load') load();
    else if (step.kind === 'send') send();
    else if (step.kind === 'save') save();
    else if (step.kind === 'wait') nowMs += HOUR_MS;
    else if (step.kind === 'makeRoom') state.makeRoom(nowMs);
    else if (step.kind === 'end') end(step.which, step.outcome);
    else {
      state = open();
      known = new Set(finished);
      inFlight = [];
    }
  }

  return {
    run,
    /** Delivers what is left to a receiver that accepts everything. */
    finish(): void {
      for (let quiet = 0; quiet < 3;) {
        const isBusy = [load(), send(), inFlight.length > 0].includes(true);
        while (inFlight.length > 0) end(0, 'delivered');
        quiet = isBusy ? 0 : quiet + 1;
        nowMs += HOUR_MS;
      }
    },
    delivered,
    dead,
    repeated,
    inFlight: () => inFlight,
    state: () => state,
    /** Of all wanted events, in the order of the feed. */
    wanted: () =>
      streams.flatMap((pages, stream) => pages.flatMap((_, n) => eventsOf(stream, n + 1).map((event) => event))),
  };
}

function isNamed(delivery: Delivery): delivery is NamedDelivery {
  return delivery.eventId !== null;
}

function idOf(stream: number, page: number, index: number): string {
  return `${String(stream)}/${String(page)}/${String(index)}`;
}
