import { HEALTHY, type AttemptOutcome, type DeliveryProgress, type WebhookHealth } from '@busbar/domain/webhooks';
import { createDeliveries, type Delivery, type NamedDelivery } from './deliveries';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const EMPTY: DeliveryProgress = { pages: [0, 0], taken: [0, 0], above: [], deferred: [] };

function open(
  over: { ordering?: 'charger' | 'none'; maxInFlight?: number; health?: WebhookHealth; timeScale?: number } = {},
) {
  const { ordering = 'charger', maxInFlight = 8, health = HEALTHY, timeScale = 1 } = over;
  const state = createDeliveries({ progress: EMPTY, health }, { ordering, maxInFlight, random: () => 0.5, timeScale });
  let page = 0;
  return {
    state,
    /** A page of stream 0 with an event of each charger. */
    add(...chargers: readonly string[]) {
      page += 1;
      const wanted = chargers.map((chargerId, index) => ({ index, chargerId, eventId: `${String(page)}${chargerId}` }));
      state.add({ stream: 0, page, count: chargers.length }, wanted);
    },
    send(nowMs = NOW): NamedDelivery[] {
      const sent: Delivery[] = [];
      for (let next = state.next(nowMs); next !== undefined; next = state.next(nowMs)) sent.push(next);
      return sent as NamedDelivery[];
    },
    end: (delivery: NamedDelivery | undefined, outcome: AttemptOutcome, atMs = NOW) =>
      state.ended(delivery!, { outcome, startedMs: atMs, endedMs: atMs, messages: 0 }),
  };
}

const ids = (sent: readonly NamedDelivery[]) => sent.map(({ eventId }) => eventId);

it('sends one event of each charger at the same time, and the next one after it', () => {
  const { add, send, end } = open();
  add('a', 'b', 'a');
  const first = send();
  expect(ids(first)).toEqual(['1a', '1b']);
  end(first[0], 'delivered');
  expect(ids(send())).toEqual(['1a']);
});

it('sends all events at the same time without an order', () => {
  const { add, send } = open({ ordering: 'none' });
  add('a', 'a', 'a');
  expect(send()).toHaveLength(3);
});

it('sends at most so many events at the same time', () => {
  const { add, send } = open({ maxInFlight: 2 });
  add('a', 'b', 'c');
  expect(send()).toHaveLength(2);
});

it('continues with other chargers, page by page, while one waits for its retry', () => {
  const { state, add, send, end } = open();
  add('a', 'b');
  const [a, b] = send();
  expect(end(a, 'event_refused')).toEqual({ kind: 'deferred', attempts: 1, nextAttemptMs: NOW + 5_000 });
  end(b, 'delivered');
  add('a', 'b');
  for (const each of send()) end(each, 'delivered');
  expect(state.progress()).toMatchObject({ pages: [2, 0], above: [], deferred: [{ page: 1, index: 0, attempts: 1 }] });
  expect(state.wakeMs()).toBe(NOW + 5_000);
});

it('retries a refused event after 5 s, 30 s, 2, 10 and 30 min, then gives it up', () => {
  const { state, add, send, end } = open();
  add('a');
  const waits: unknown[] = [];
  for (let atMs = NOW; ;) {
    if (waits.length > 0) expect(send(atMs - 1)).toEqual([]);
    const [delivery] = send(atMs);
    const effect = end(delivery, 'event_refused', atMs);
    if (effect.kind !== 'deferred') {
      expect(effect).toEqual({ kind: 'dead', attempts: 6 });
      state.complete(delivery!, atMs);
      break;
    }
    waits.push((effect.nextAttemptMs - atMs) / 1_000);
    atMs = effect.nextAttemptMs;
  }
  expect(waits).toEqual([5, 30, 120, 600, 1_800]);
  // Whatever the charger has next.
  expect(state.next(NOW * 2)).toMatchObject({ chargerId: 'a', page: 1, index: 1, eventId: null });
});

it('multiplies the waits of events by the scale of time', () => {
  const { add, send, end } = open({ timeScale: 0.01 });
  add('a');
  expect(end(send()[0], 'event_refused')).toMatchObject({ nextAttemptMs: NOW + 50 });
});

it('sends one probe while the webhook fails, then one event, two, four', () => {
  const { add, send, end } = open();
  add('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const first = send();
  for (const each of first) end(each, 'webhook_failed');
  expect(send(NOW + 4_999)).toEqual([]);
  const [probe, ...others] = send(NOW + 5_000);
  expect(others).toEqual([]);
  end(probe, 'delivered', NOW + 5_001);
  const [second, ...more] = send(NOW + 5_002);
  expect(more).toEqual([]);
  end(second, 'delivered', NOW + 5_003);
  const third = send(NOW + 5_004);
  expect(third).toHaveLength(2);
  for (const each of third) end(each, 'delivered', NOW + 5_005);
  expect(send(NOW + 5_006)).toHaveLength(4);
});

it('gives nothing up while everything is refused, and probes refused events in turn', () => {
  const { state, add, send, end } = open({ maxInFlight: 32 });
  add(...Array.from({ length: 25 }, (_, n) => `c${String(n)}`));
  for (const each of send()) end(each, 'event_refused');
  expect(state.health()).toMatchObject({ status: 'failing', refusesAll: true });
  const probed: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const atMs = state.health().nextProbeMs!;
    const [probe] = send(atMs);
    probed.push(probe!.eventId);
    expect(end(probe, 'event_refused', atMs).kind).toBe('deferred');
  }
  expect(new Set(probed).size).toBe(20);
  expect(Math.max(...state.progress().deferred.map(({ attempts }) => attempts))).toBe(1);
});

it('sends nothing more after 410', () => {
  const { state, add, send, end } = open();
  add('a', 'b');
  const [a, b] = send();
  end(a, 'webhook_gone');
  end(b, 'delivered');
  expect([state.health().status, send(), state.wakeMs()]).toEqual(['disabled', [], undefined]);
});

it('loads no further page while 500 events wait, unless one charger has them all', () => {
  const { state, add, send, end } = open();
  add(...Array.from({ length: 500 }, () => 'a'));
  expect(state.hasRoom()).toBe(false);
  const [first] = send();
  state.makeRoom(NOW);
  expect(state.hasRoom()).toBe(true);
  add('b');
  expect(ids(send())).toEqual(['2b']);
  end(first, 'delivered');
  expect(state.next(NOW)).toMatchObject({ chargerId: 'a', index: 1, eventId: null });
});

it('retries an event whose time is far ahead: the clock was set back', () => {
  const { add, send, end } = open();
  add('a');
  end(send()[0], 'event_refused');
  expect(ids(send(NOW - 86_400_000))).toEqual(['1a']);
});
