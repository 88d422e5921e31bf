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
import { createDeferredQueues, deferredAt } from './deferred-queues';
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

/** `dead`: it was refused for the last time. It is dead-lettered, then `complete` is called. */
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

interface QueuedEvent extends EventPlace {
  readonly eventId: string;
  readonly chargerId: string | null;
  firstStartedMs: number | undefined;
  messages: number;
}

interface Queue {
  /** The first one is being sent while the queue is busy. */
  readonly events: QueuedEvent[];
  isBusy: boolean;
}

const NOT_TRIED = { attempts: 0, firstStartedMs: 0, messages: 0 } as const;

export function createDeliveries(
  start: { readonly progress: DeliveryProgress; readonly health: WebhookHealth },
  { ordering, maxInFlight, random, timeScale }: DeliveryOptions,
) {
  const keyOf = ({ chargerId, partition, page, index }: EventPlace & Pick<DeferredQueue, 'chargerId'>): string =>
    ordering === 'charger' ? (chargerId ?? '') : `${String(partition)}/${String(page)}/${String(index)}`;
  const window = createFeedWindow(start.progress);
  const deferred = createDeferredQueues(start.progress.deferred, keyOf);
  const queues = new Map<string, Queue>();
  /** Queues whose first event can be sent. */
  const ready = new Set<string>();
  let { health } = start;
  let inFlight = 0;
  let probe: Delivery | undefined;
  let isDeferredNext = true;
  let isPrimed = false;

  function takeReady(): Delivery | undefined {
    const [key] = ready;
    if (key === undefined) return undefined;
    ready.delete(key);
    const queue = queues.get(key);
    const first = queue?.events[0];
    if (queue === undefined || first === undefined) return undefined;
    queue.isBusy = true;
    return { ...first, attempts: 0 };
  }

  function asDelivery(taken: { readonly queue: DeferredQueue } | undefined): Delivery | undefined {
    if (taken === undefined) return undefined;
    const { nextAttemptMs: _, firstStartedMs, ...queue } = taken.queue;
    return { ...queue, firstStartedMs: firstStartedMs === 0 ? undefined : firstStartedMs };
  }

  /** Deferred events and others take turns. */
  function takeNext(nowMs: number): Delivery | undefined {
    isDeferredNext = !isDeferredNext;
    const due = (): Delivery | undefined => asDelivery(deferred.takeDue(nowMs));
    return isDeferredNext ? (due() ?? takeReady()) : (takeReady() ?? due());
  }

  function takeProbe(nowMs: number): Delivery | undefined {
    if (probe !== undefined || nowMs < (health.nextProbeMs ?? Infinity)) return undefined;
    const wanted = probedEvent(health);
    const named = wanted === undefined ? undefined : asDelivery(deferred.takeAny(wanted));
    return (probe = named ?? takeReady() ?? asDelivery(deferred.takeAny()));
  }

  /** Moves the events of the queue out of the window. */
  function defer(delivery: Delivery, queue: DeferredQueue, isTaken = false): void {
    const key = keyOf(delivery);
    for (const event of queues.get(key)?.events ?? []) window.pass(event, false);
    queues.delete(key);
    ready.delete(key);
    if (isTaken) deferred.replaceTaken(key, queue);
    else deferred.replace(key, queue);
  }

  function giveBack(delivery: Delivery, { startedMs, endedMs, messages }: AttemptResult): void {
    const key = keyOf(delivery);
    if (deferred.has(key)) return deferred.giveBack(key, endedMs);
    const queue = queues.get(key);
    const [first] = queue?.events ?? [];
    if (queue === undefined || first === undefined) return;
    first.firstStartedMs ??= startedMs;
    first.messages = messages;
    queue.isBusy = false;
    ready.add(key);
  }

  function afterRefusal(delivery: Delivery, { startedMs, endedMs, messages }: AttemptResult): AttemptEffect {
    const firstStartedMs = delivery.firstStartedMs ?? startedMs;
    // While everything is refused nothing is given up: the receiver is broken.
    const attempts = health.status === 'active' ? delivery.attempts + 1 : delivery.attempts;
    const wait = attempts === 0 ? 0 : eventRetryMs(attempts);
    if (wait === undefined) return { kind: 'dead', attempts };
    const nextAttemptMs = endedMs + wait * timeScale;
    const { chargerId, eventId } = delivery;
    const deferral = { eventId, attempts, firstStartedMs, nextAttemptMs, messages };
    defer(delivery, deferredAt(delivery, chargerId, deferral));
    return { kind: 'deferred', attempts, nextAttemptMs };
  }

  function release(delivery: Delivery): void {
    inFlight -= 1;
    if (probe === delivery) probe = undefined;
  }

  /** The event is delivered or dead-lettered. */
  function complete(delivery: Delivery, nowMs: number): void {
    release(delivery);
    const key = keyOf(delivery);
    window.pass(delivery, true);
    if (deferred.has(key)) {
      if (ordering === 'none') return deferred.remove(key);
      const behind = { ...delivery, index: delivery.index + 1 };
      return deferred.replace(
        key,
        deferredAt(behind, delivery.chargerId, { ...NOT_TRIED, eventId: null, nextAttemptMs: nowMs }),
      );
    }
    const queue = queues.get(key);
    if (queue === undefined) return;
    queue.events.shift();
    queue.isBusy = false;
    if (queue.events.length > 0) ready.add(key);
    else queues.delete(key);
  }

  return {
    health: () => health,
    /** The owner has enabled it: why it failed is forgotten. */
    reset: (to: WebhookHealth) => void (health = to),
    inFlight: () => inFlight,
    /** Events in memory, and chargers with deferred ones. */
    waiting: () => window.open() + deferred.size(),
    hasRoom: () => !isPrimed || (window.hasRoom() && deferred.hasRoom()),
    lastLoaded: window.lastLoaded,
    skip: window.skip,
    streams: window.streams,
    add({ stream, page, count }: Omit<LoadedPage, 'wanted'>, wanted: readonly PageEvent[]): void {
      const open = new Set(window.add({ stream, page, count, wanted: wanted.map(({ index }) => index) }));
      for (const { index, eventId, chargerId } of wanted) {
        if (!open.has(index)) continue;
        const event = { partition: stream, page, index, eventId, chargerId, firstStartedMs: undefined, messages: 0 };
        const key = keyOf(event);
        if (deferred.has(key)) {
          window.pass(event, false);
          continue;
        }
        const queue = queues.get(key) ?? { events: [], isBusy: false };
        queue.events.push(event);
        queues.set(key, queue);
        if (!queue.isBusy) ready.add(key);
      }
    },
    /** The next event to send, if one may be sent now. Each ends with `ended`, `complete` or `caughtUp`. */
    next(nowMs: number): Delivery | undefined {
      isPrimed ||= window.isPrimed();
      if (health.status === 'disabled' || !isPrimed) return undefined;
      const isFailing = health.status === 'failing';
      if (!isFailing && inFlight >= Math.min(maxInFlight, health.concurrency)) return undefined;
      const delivery = isFailing ? takeProbe(nowMs) : takeNext(nowMs);
      if (delivery !== undefined) inFlight += 1;
      return delivery;
    },
    /** The next event of the charger of a deferred delivery was found. */
    found(delivery: Delivery, at: EventPlace, eventId: string): NamedDelivery {
      const found = { ...delivery, partition: at.partition, page: at.page, index: at.index, eventId };
      const { chargerId, firstStartedMs = 0, attempts, messages } = found;
      deferred.replaceTaken(
        keyOf(found),
        deferredAt(found, chargerId, { eventId, attempts, firstStartedMs, nextAttemptMs: 0, messages }),
      );
      if (probe === delivery) probe = found;
      return found;
    },
    /** There is no further event of the charger up to this page of its stream. False where later ones are loaded by now. */
    caughtUp(delivery: Delivery, page: number): boolean {
      if (page < window.lastLoaded(delivery.partition)) return false;
      release(delivery);
      deferred.remove(keyOf(delivery));
      return true;
    },
    /** The event could not be tried. */
    untried(delivery: Delivery, nowMs: number): void {
      release(delivery);
      giveBack(delivery, { outcome: 'webhook_failed', startedMs: nowMs, endedMs: nowMs, messages: delivery.messages });
    },
    ended(delivery: NamedDelivery, result: AttemptResult): AttemptEffect {
      const { outcome, startedMs, endedMs } = result;
      const { eventId, attempts, firstStartedMs = startedMs } = delivery;
      const scaled = result.retryAfterMs === undefined ? {} : { retryAfterMs: result.retryAfterMs };
      const attempt = { eventId, outcome, startedMs, firstStartedMs, endedMs, ...scaled };
      health = afterAttempt(health, attempt, random(), timeScale);
      if (outcome === 'delivered') {
        complete(delivery, endedMs);
        return { kind: 'done', attempts };
      }
      const effect =
        outcome === 'event_refused' ? afterRefusal(delivery, result) : ({ kind: 'returned', attempts } as const);
      if (effect.kind === 'returned') giveBack(delivery, result);
      if (effect.kind !== 'dead') release(delivery);
      return effect;
    },
    complete,
    /**
     * Where chargers with many events keep the window full while others could be sent to: defers what is queued behind their events that are
     * in flight.
     */
    makeRoom(nowMs: number): void {
      if (ordering === 'none' || ready.size > 0 || window.hasRoom() || !deferred.hasRoom()) return;
      for (const [key, { events }] of [...queues]) {
        const [first] = events;
        if (first === undefined || events.length === 1) continue;
        const { chargerId, eventId, firstStartedMs = 0, messages } = first;
        const deferral = { eventId, attempts: 0, firstStartedMs, nextAttemptMs: nowMs, messages };
        defer({ ...first, attempts: 0 }, deferredAt(first, chargerId, deferral), queues.get(key)?.isBusy ?? false);
      }
    },
    /** When `next` may return another one, if nothing else happens. */
    wakeMs(): number | undefined {
      if (health.status === 'disabled') return undefined;
      return health.status === 'failing' ? (health.nextProbeMs ?? undefined) : deferred.nextMs();
    },
    progress: (): DeliveryProgress => ({ ...window.progress(), deferred: deferred.all() }),
  };
}
