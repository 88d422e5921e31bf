// The deliveries to one webhook, as a state machine without I/O: which event is sent next, and what follows from each attempt. The events
// of one charger are sent one after the other; a charger whose event was refused waits apart from the others (`deferred-queues.ts`).
import {
  afterAttempt,
  eventRetryMs,
  probedEvent,
  type AttemptOutcome,
  type DeferredQueue,
  type DeliveryProgress,
  type EventPlace,
  type WebhookHealth,
} from '@busbar/domain/webhooks';
import { createChargerQueues } from './charger-queues';
import { createDeferredQueues, deferredAt, type Deferral } from './deferred-queues';
import { createFeedWindow, type LoadedPage } from './feed-window';

export interface DeliveryOptions {
  readonly ordering: 'charger' | 'none';
  /** Requests at once. */
  readonly maxInFlight: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Factor of waits and limits. */
  readonly timeScale: number;
}

/** An event that is being sent. Identity counts: the state machine is given back what it returned. */
export interface Delivery extends EventPlace {
  readonly chargerId: string | null;
  /** Null: whatever event of the charger is next, at the place or behind it. */
  readonly eventId: string | null;
  /** Refused attempts before. */
  readonly attempts: number;
  /** When its first attempt began. */
  readonly firstStartedMs: number | undefined;
  readonly messages: number;
}

export interface NamedDelivery extends Delivery {
  readonly eventId: string;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly retryAfterMs?: number;
  /** Messages of the event that were delivered. */
  readonly messages: number;
}

/** `dead`: it was refused for the last time. It is parked, then `complete` is called. */
export type AttemptEffect =
  | { readonly kind: 'done' | 'returned' | 'dead'; readonly attempts: number }
  | { readonly kind: 'deferred'; readonly attempts: number; readonly nextAttemptMs: number };

/** A wanted event of a page. */
export interface PageEvent {
  readonly index: number;
  readonly eventId: string;
  readonly chargerId: string | null;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

const NOT_TRIED = { attempts: 0, firstStartedMs: 0, messages: 0 } as const;

interface Start {
  readonly progress: DeliveryProgress;
  readonly health: WebhookHealth;
}

type Place = EventPlace & Pick<DeferredQueue, 'chargerId'>;

export function createDeliveries(start: Start, options: DeliveryOptions) {
  const places = createPlaces(start.progress, options);
  const { maxInFlight, random, timeScale } = options;
  let { health } = start;
  let inFlight = 0;
  let probe: Delivery | undefined;

  function takeProbe(nowMs: number): Delivery | undefined {
    if (probe !== undefined || nowMs < (health.nextProbeMs ?? Infinity)) return undefined;
    return (probe = places.takeProbe(probedEvent(health)));
  }

  function release(delivery: Delivery): void {
    inFlight -= 1;
    if (probe === delivery) probe = undefined;
  }

  function afterRefusal(delivery: NamedDelivery, { startedMs, endedMs, messages }: AttemptResult): AttemptEffect {
    const { eventId, firstStartedMs = startedMs } = delivery;
    // While everything is refused nothing is parked: the receiver is broken.
    const attempts = health.status === 'active' ? delivery.attempts + 1 : delivery.attempts;
    const wait = attempts === 0 ? 0 : eventRetryMs(attempts);
    if (wait === undefined) return { kind: 'dead', attempts };
    const nextAttemptMs = endedMs + wait * timeScale;
    places.defer(delivery, { eventId, attempts, firstStartedMs, nextAttemptMs, messages });
    return { kind: 'deferred', attempts, nextAttemptMs };
  }

  function complete(delivery: Delivery, nowMs: number): void {
    release(delivery);
    places.complete(delivery, nowMs);
  }

  return {
    ...places.reading,
    health: () => health,
    /** The owner has enabled it: why it failed is forgotten. */
    reset: (to: WebhookHealth) => void (health = to),
    inFlight: () => inFlight,
    /** The next event to send, if one may be sent now. Each ends with `ended`, `complete`, `untried` or `caughtUp`. */
    next(nowMs: number): Delivery | undefined {
      if (health.status === 'disabled' || !places.isPrimed()) return undefined;
      const isFailing = health.status === 'failing';
      if (!isFailing && inFlight >= Math.min(maxInFlight, health.concurrency)) return undefined;
      const delivery = isFailing ? takeProbe(nowMs) : places.takeNext(nowMs);
      if (delivery !== undefined) inFlight += 1;
      return delivery;
    },
    /** The next event of the charger of a deferred delivery was found. */
    found(delivery: Delivery, { partition, page, index }: EventPlace, eventId: string): NamedDelivery {
      const found = { ...delivery, partition, page, index, eventId };
      places.found(found);
      if (probe === delivery) probe = found;
      return found;
    },
    /** There is no further event of the charger up to this page of its stream. False where later ones are loaded by now. */
    caughtUp(delivery: Delivery, page: number): boolean {
      if (!places.catchUp(delivery, page)) return false;
      release(delivery);
      return true;
    },
    /** The event could not be tried. */
    untried(delivery: Delivery, nowMs: number): void {
      release(delivery);
      places.giveBack(delivery, { startedMs: nowMs, endedMs: nowMs, messages: delivery.messages });
    },
    ended(delivery: NamedDelivery, result: AttemptResult): AttemptEffect {
      const { eventId, attempts, firstStartedMs = result.startedMs } = delivery;
      health = afterAttempt(health, { eventId, firstStartedMs, ...result }, random(), timeScale);
      if (result.outcome === 'delivered') {
        complete(delivery, result.endedMs);
        return { kind: 'done', attempts };
      }
      if (result.outcome === 'event_refused') {
        const effect = afterRefusal(delivery, result);
        if (effect.kind !== 'dead') release(delivery);
        return effect;
      }
      release(delivery);
      places.giveBack(delivery, result);
      return { kind: 'returned', attempts };
    },
    /** The event is parked, or there is nothing to send for it. */
    complete,
    /** When `next` may return another one, if nothing else happens. */
    wakeMs(): number | undefined {
      if (health.status === 'disabled') return undefined;
      return health.status === 'failing' ? (health.nextProbeMs ?? undefined) : places.nextMs();
    },
    progress: places.progress,
  };
}

/** Where each event is: in the window of loaded pages and a queue, or deferred. */
function createPlaces(progress: DeliveryProgress, { ordering }: DeliveryOptions) {
  const keyOf = ({ chargerId, partition, page, index }: Place): string =>
    ordering === 'charger' ? (chargerId ?? '') : `${String(partition)}/${String(page)}/${String(index)}`;
  const window = createFeedWindow(progress);
  const deferred = createDeferredQueues(progress.deferred, keyOf);
  const queues = createChargerQueues();
  let isPrimed = false;
  let isDeferredNext = true;

  const primed = (): boolean => (isPrimed ||= window.isPrimed());
  const takeReady = (): Delivery | undefined => {
    const event = queues.take();
    return event && { ...event, attempts: 0 };
  };
  const takeDue = (nowMs: number): Delivery | undefined => asDelivery(deferred.takeDue(nowMs));

  /** Moves the events of a queue out of the window. */
  function moveOut(key: string): void {
    for (const event of queues.remove(key)) window.pass(event, false);
  }

  return {
    isPrimed: primed,
    /** Deferred events and others take turns. */
    takeNext(nowMs: number): Delivery | undefined {
      isDeferredNext = !isDeferredNext;
      return isDeferredNext ? (takeDue(nowMs) ?? takeReady()) : (takeReady() ?? takeDue(nowMs));
    },
    takeProbe(eventId: string | undefined): Delivery | undefined {
      const named = eventId === undefined ? undefined : asDelivery(deferred.takeAny(eventId));
      return named ?? takeReady() ?? asDelivery(deferred.takeAny());
    },
    defer(delivery: Delivery, deferral: Deferral): void {
      const key = keyOf(delivery);
      moveOut(key);
      deferred.replace(key, deferredAt(delivery, delivery.chargerId, deferral));
    },
    found(found: NamedDelivery): void {
      const { eventId, chargerId, firstStartedMs = 0, attempts, messages } = found;
      const deferral = { eventId, attempts, firstStartedMs, nextAttemptMs: 0, messages };
      deferred.replaceTaken(keyOf(found), deferredAt(found, chargerId, deferral));
    },
    catchUp(delivery: Delivery, page: number): boolean {
      if (page < window.lastLoaded(delivery.partition)) return false;
      deferred.remove(keyOf(delivery));
      return true;
    },
    giveBack(delivery: Delivery, at: Pick<AttemptResult, 'startedMs' | 'endedMs' | 'messages'>): void {
      const key = keyOf(delivery);
      if (deferred.has(key)) deferred.giveBack(key, at.endedMs);
      else queues.giveBack(key, at.startedMs, at.messages);
    },
    complete(delivery: Delivery, nowMs: number): void {
      const key = keyOf(delivery);
      window.pass(delivery, true);
      if (!deferred.has(key)) return queues.shift(key);
      if (ordering === 'none') return deferred.remove(key);
      const behind = { ...delivery, index: delivery.index + 1 };
      const deferral = { ...NOT_TRIED, eventId: null, nextAttemptMs: nowMs };
      deferred.replace(key, deferredAt(behind, delivery.chargerId, deferral));
    },
    nextMs: deferred.nextMs,
    progress: (): DeliveryProgress => ({ ...window.progress(), deferred: deferred.all() }),
    /** For whom loads the pages. */
    reading: {
      streams: window.streams,
      lastLoaded: window.lastLoaded,
      skip: window.skip,
      hasRoom: () => !primed() || (window.hasRoom() && deferred.hasRoom()),
      /** Events in memory, and queues that are deferred. */
      waiting: () => window.open() + deferred.size(),
      add({ stream, page, count }: Omit<LoadedPage, 'wanted'>, wanted: readonly PageEvent[]): void {
        const open = new Set(window.add({ stream, page, count, wanted: wanted.map(({ index }) => index) }));
        for (const event of wanted) {
          if (!open.has(event.index)) continue;
          const queued = { partition: stream, page, ...event, firstStartedMs: undefined, messages: 0 };
          const key = keyOf(queued);
          if (deferred.has(key)) window.pass(queued, false);
          else queues.add(key, queued);
        }
      },
      /**
       * Where chargers with many events keep the window full while others could be sent to: defers what is queued behind their events
       * that are in flight.
       */
      makeRoom(nowMs: number): void {
        if (ordering === 'none' || queues.hasReady() || window.hasRoom() || !deferred.hasRoom()) return;
        for (const [key, first] of queues.long()) {
          const { chargerId, eventId, firstStartedMs = 0, messages } = first;
          moveOut(key);
          const deferral = { eventId, attempts: 0, firstStartedMs, nextAttemptMs: nowMs, messages };
          deferred.replaceTaken(key, deferredAt(first, chargerId, deferral));
        }
      },
    },
  };
}

function asDelivery(taken: { readonly queue: DeferredQueue } | undefined): Delivery | undefined {
  if (taken === undefined) return undefined;
  const { partition, page, index, chargerId, eventId, attempts, firstStartedMs, messages } = taken.queue;
  const place = { partition, page, index, chargerId, eventId, attempts, messages };
  return { ...place, firstStartedMs: firstStartedMs === 0 ? undefined : firstStartedMs };
}
