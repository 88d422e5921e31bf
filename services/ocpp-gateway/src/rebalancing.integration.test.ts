// REBALANCE between three gateways on one RabbitMQ, with real sockets. Their clocks run faster; charger-state is played.
import { createId, delay } from '@busbar/core';
import { createHurriedClock, describeWithRabbit, eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from './testing/open-world';

/** A renewal of a lease that is late by half a second is not missing yet. */
const SECONDS_A_SECOND = 6;
const TEST_MS = 240_000;
const WITHIN_MS = 180_000;
/** The number of each of the first two gateways: half and 110 above the mean of three. */
const CHARGERS = 330;
/** A socket that moves between two gateways' renewals is in both leases for some seconds: the mean is seen too high. */
const IN_TWO_LEASES = 3;
const GROUP_SIZE = 30;
/** One of so many chargers is in a transaction, which charger-state reports when the charger connects. */
const IN_TRANSACTION = 4;
const MARK = 'T';
/** Half a lease without a renewal, and a tick: then a lease is known to be missing. Two leases: then it is forgotten. */
const KNOWN_MISSING_MS = 9_000;
const WATCHED_MS = 15_000;
/** RabbitMQ 3.10 may lose the leader of a queue that is younger than this when it is killed. */
const YOUNG_QUEUES_MS = 6_000;

describeWithRabbit('gateways with REBALANCE=on', (rabbit) => {
  const clock = createHurriedClock(SECONDS_A_SECOND);
  let worlds: GatewayWorld[] = [];
  let sockets = new Map<GatewayWorld, number>();
  let closed: { readonly code: number; readonly chargerId: string }[] = [];
  let declaredAt = 0;
  let isOver = false;

  async function join(): Promise<GatewayWorld> {
    const world = await openWorld({ brokerUrl: rabbit().url, clock, settings: { rebalance: 'on' } });
    world.admit(({ chargerId }) => world.acceptance({ transactions: chargerId.startsWith(MARK) ? ['7'] : [] }));
    worlds.push(world);
    sockets.set(world, 0);
    declaredAt ||= Date.now();
    return world;
  }

  async function connect(world: GatewayWorld, chargerId: string): Promise<void> {
    const charger = await world.connect({ url: `${world.origin}/ocpp/${chargerId}`, logLength: 4 });
    sockets.set(world, countOf(world) + 1);
    void charger.ended.then(({ code }) => {
      sockets.set(world, countOf(world) - 1);
      if (isOver) return;
      closed.push({ code, chargerId });
      // As behind a load balancer that knows how many connections it has led where.
      void eventually(() => isOver || connect(emptiest(), chargerId).then(() => true), WITHIN_MS);
    });
  }
  const countOf = (world: GatewayWorld): number => sockets.get(world) ?? 0;
  const emptiest = (): GatewayWorld => {
    const [first] = [...worlds].sort((a, b) => countOf(a) - countOf(b));
    if (first === undefined) throw new Error('no gateway');
    return first;
  };

  /** Two gateways with all sockets, and a third; resolves with it once the others close sockets. */
  async function openUneven(): Promise<GatewayWorld> {
    for (const world of [await join(), await join()]) {
      for (let from = 0; from < CHARGERS; from += GROUP_SIZE) {
        const group = Array.from({ length: GROUP_SIZE }, (_, n) => (n % IN_TRANSACTION === 0 ? MARK : 'I'));
        await Promise.all(group.map((prefix) => connect(world, `${prefix}${createId()}`)));
      }
    }
    const third = await join();
    await eventually(() => closed.length > 0, WITHIN_MS);
    return third;
  }

  const hasEnded = ({ logger }: GatewayWorld): boolean =>
    logger.lines.some(({ message }) => message === 'closing no more idle sockets');

  /** Rejects when a socket is closed in the meantime. */
  async function closesNone(): Promise<void> {
    const before = closed.length;
    await delay(clock, WATCHED_MS);
    expect(closed).toHaveLength(before);
  }

  beforeEach(() => {
    worlds = [];
    sockets = new Map();
    closed = [];
    isOver = false;
  });
  afterEach(async () => {
    isOver = true;
    await Promise.all(worlds.map((world) => world.close()));
  }, TEST_MS);

  it(
    'fills a gateway that joins, until each of the others has at most 10 % more than the mean',
    async () => {
      const third = await openUneven();
      const mean = (2 * CHARGERS) / 3;
      const full = worlds.filter((world) => world !== third);
      await eventually(() => full.every(hasEnded), WITHIN_MS);
      await eventually(() => worlds.reduce((sum, world) => sum + countOf(world), 0) === 2 * CHARGERS, WITHIN_MS);
      for (const world of full) expect(countOf(world)).toBeLessThanOrEqual(1.1 * mean + IN_TWO_LEASES);
      await closesNone();
      expect(new Set(closed.map(({ code }) => code))).toEqual(new Set([1001]));
      expect(closed.filter(({ chargerId }) => chargerId.startsWith(MARK))).toEqual([]);
      expect(closed.length).toBeLessThan(1.2 * 2 * (CHARGERS - mean));
    },
    TEST_MS,
  );

  it(
    'closes no connection while RabbitMQ is unavailable, and continues after it',
    async () => {
      if (rabbit().pid() === undefined) return;
      await openUneven();
      await eventually(() => Date.now() - declaredAt > YOUNG_QUEUES_MS);
      await rabbit().kill();
      try {
        await eventually(() => worlds.every(({ broker }) => !broker.ready()));
        await delay(clock, 1_000);
        await closesNone();
      } finally {
        await rabbit().restart();
      }
      const before = closed.length;
      await eventually(() => closed.length > before, WITHIN_MS);
    },
    TEST_MS,
  );

  it(
    'closes no connection while the lease of one of them is missing',
    async () => {
      const third = await openUneven();
      await third.broker.stop();
      await delay(clock, KNOWN_MISSING_MS);
      await closesNone();
    },
    TEST_MS,
  );
});
