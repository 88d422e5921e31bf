// Random interleavings of events at chargers, gateways, the broker and replicas, run through the service's own
// functions. The result is compared with the truth: the open sockets, and the messages published to the broker.
import fc from 'fast-check';
import {
  createCommittedPages,
  createNumberedPages,
  createPagesBesideChanges,
  createPagesByBatch,
  createPagesByTerm,
  type FeedDesign,
} from './testing/feed-designs';
import { eventsAreTrue, feedIsWhole } from './testing/feed-truth';
import { createModelWorld, numberIn, type ModelWorld } from './testing/model-world';

const CHARGERS = ['a', 'b'];
const GATEWAYS = 3;
const REPLICAS = 2;
/** The number of connections whose progress a record stores: see `pipeline/positions.ts`. */
const REMEMBERED = 8;
/** Errors of unset clocks; a clock ahead by less than a timestamp may be behind a receipt (rule 51). */
const CLOCK_ERRORS_MS = [0, -300_000, 100_000];

const charger = fc.constantFrom(...CHARGERS);
const gateway = fc.nat(GATEWAYS - 1);
const replica = fc.nat(REPLICAS - 1);
const status = fc.constantFrom('Available', 'Preparing', 'Charging', 'Finishing', 'Faulted');
/** The number of a replica's call to the store. */
const call = fc.integer({ min: 1, max: 6 });
const count = fc.integer({ min: 1, max: 6 });

type Step = (world: ModelWorld) => void | Promise<void>;

function named(name: string, step: Step): Step {
  return Object.assign(step, { [fc.toStringMethod]: () => name });
}

/** The frequent events are the most probable: without this weight hardly a message is ever sent. */
const STEPS_OF_LIFE = 4;
const life: fc.Arbitrary<Step>[] = [
  fc.tuple(charger, gateway).map(([c, g]) => named(`connect ${c} to ${String(g)}`, (world) => world.connect(c, g))),
  charger.map((c) => named(`disconnect ${c}`, (world) => world.disconnect(c))),
  fc.tuple(charger, status, fc.boolean()).map(([c, word, timed]) =>
    named(`report ${c} ${word} ${timed ? 'timed' : 'untimed'}`, (world) =>
      world.report(c, 'StatusNotification', {
        connectorId: 1,
        status: word,
        errorCode: 'NoError',
        ...(timed ? { timestamp: null } : {}),
      }),
    ),
  ),
  fc.tuple(charger, fc.nat(2)).map(([c, n]) =>
    named(`start ${c} ${String(n)}`, (world) =>
      world.report(c, 'StartTransaction', {
        connectorId: 1,
        idTag: 'T',
        meterStart: n,
        timestamp: '2026-01-01T12:00:00.000Z',
      }),
    ),
  ),
  fc.tuple(charger, fc.nat(2)).map(([c, n]) => named(`stop ${c} ${String(n)}`, (world) => world.stop(c, n))),
  fc
    .tuple(gateway, count, fc.boolean())
    .map(([g, n, lost]) =>
      named(`flush ${String(n)} of ${String(g)}${lost ? ', confirm lost' : ''}`, (world) => world.flush(g, n, lost)),
    ),
  count.map((n) => named(`consume ${String(n)}`, (world) => world.consume(n))),
];
const mishaps: fc.Arbitrary<Step>[] = [
  charger.map((c) => named(`rename ${c}`, (world) => world.rename(c))),
  fc.constant(named('nudge', (world) => world.nudge())),
  fc
    .tuple(count, call)
    .map(([n, at]) => named(`consume ${String(n)}, paused before call ${String(at)}`, (world) => world.consume(n, at))),
  // Two replicas with the same batch, each paused before its own call: random single steps seldom produce this.
  fc
    .tuple(count, call, call, fc.boolean())
    .map(([n, first, second, dies]) =>
      named(`both consume ${String(n)}, paused before ${String([first, second])}${dies ? ', one dies' : ''}`, (world) =>
        world.consumeTwice(n, [first, second], dies),
      ),
    ),
  replica.map((r) => named(`wake ${String(r)}`, (world) => world.wake(r))),
  replica.map((r) => named(`take over by ${String(r)}`, (world) => world.takeOver(r))),
  replica.map((r) => named(`crash ${String(r)}`, (world) => world.crash(r))),
  gateway.map((g) => named(`renew ${String(g)}`, (world) => world.renew(g))),
  replica.map((r) => named(`tick ${String(r)}`, (world) => world.tick(r))),
  replica.map((r) => named(`stall the broker for ${String(r)}`, (world) => world.stall(r))),
  replica.map((r) => named(`resume the broker for ${String(r)}`, (world) => world.flow(r))),
  replica.map((r) => named(`reconnect ${String(r)}`, (world) => world.reconnect(r))),
  gateway.map((g) => named(`pause ${String(g)}`, (world) => world.pause(g))),
  gateway.map((g) => named(`resume ${String(g)}`, (world) => world.resume(g))),
  gateway.map((g) => named(`kill ${String(g)}`, (world) => world.kill(g))),
];

const LENGTHS = { minLength: 10, maxLength: 120, size: 'max' } as const;
const histories = fc.array(
  fc.oneof(...life.map((arbitrary) => ({ arbitrary, weight: STEPS_OF_LIFE })), ...mishaps),
  LENGTHS,
);
/** The gate runs 1,000 (.ci/node-24). */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 300);

async function worldAfter(history: readonly Step[], feed: FeedDesign): Promise<ModelWorld> {
  const sizes = { chargers: CHARGERS, gateways: GATEWAYS, replicas: REPLICAS, clockErrorsMs: CLOCK_ERRORS_MS };
  const world = createModelWorld({ ...sizes, feed });
  for (const step of history) await step(world);
  await world.converge();
  return world;
}

describe('any events in any order', () => {
  it.each([
    ['written after their records', createNumberedPages],
    ['committed with their records', createCommittedPages],
  ])(
    'makes correct records of them, and a feed with each event once, of pages that are %s',
    async (_title, createFeed) => {
      const property = fc.asyncProperty(histories, async (history) => {
        const world = await worldAfter(history, createFeed());
        for (const chargerId of CHARGERS) isTrue(world, chargerId);
        tagIsUsedOnce(world);
      });
      await fc.assert(property, { numRuns: RUNS });
    },
    120_000,
  );

  it.each([
    ['pages identified by the term of their owner', createPagesByTerm],
    ['pages identified by their batch, which may be redelivered in other portions', createPagesByBatch],
    ['pages beside changes that stay without them, in records without the text of events', createPagesBesideChanges],
  ])(
    'would not make such a feed with %s',
    async (_title, createFeed) => {
      const property = fc.asyncProperty(histories, async (history) => {
        const world = await worldAfter(history, createFeed());
        for (const chargerId of CHARGERS) feedIsWhole(world, chargerId);
      });
      const found = await fc.check(property, { numRuns: RUNS, endOnFailure: true });
      expect(found.failed).toBe(true);
      expect(String(found.errorInstance)).toContain('toEqual');
    },
    120_000,
  );
});

it('begins one transaction for a start that two replicas apply, one of them killed between row and record', async () => {
  const world = createModelWorld({ chargers: CHARGERS, gateways: 1, replicas: REPLICAS, clockErrorsMs: [0] });
  await world.connect('a', 0);
  const payload = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T12:00:00.000Z' };
  world.report('a', 'StartTransaction', payload);
  world.flush(0, 2, false);
  await world.consumeTwice(2, [2, 3], true);
  await world.converge();
  isTrue(world, 'a');
});

function isTrue(world: ModelWorld, chargerId: string): void {
  connectionIsTrue(world, chargerId);
  reportsAreCounted(world, chargerId);
  sessionsAreCounted(world, chargerId);
  recordNamesTheRows(world, chargerId);
  stopsAreStored(world, chargerId);
  feedIsWhole(world, chargerId);
  // Beyond the remembered connections, late messages change no record.
  if ((world.lastOrder.get(chargerId) ?? 0) <= REMEMBERED) eventsAreTrue(world, chargerId);
}

/** At most one socket is open, the newest, and the record names it. */
function connectionIsTrue({ gateways, stores }: ModelWorld, chargerId: string): void {
  const open = gateways.flatMap(({ id: gatewayId, sockets }) => {
    const socket = sockets.get(chargerId);
    return socket ? [{ gatewayId, connectionId: socket.connectionId }] : [];
  });
  const connection = stores.chargers.get(chargerId)?.connection;
  expect(open.length).toBeLessThanOrEqual(1);
  expect(connection?.active).toBe(open.length === 1);
  if (open[0]) expect(connection).toMatchObject(open[0]);
}

/** The log contains each published report, counted once, and the record contains the last status. */
function reportsAreCounted({ confirmed, stores, lastOrder }: ModelWorld, chargerId: string): void {
  const reports = [...new Set(confirmed)].filter((report) => report.chargerId === chargerId && report.raw !== '');
  for (const { id } of reports) expect(stores.logIds).toContain(id);
  // Beyond the remembered connections, late messages of the oldest connection change no record.
  if ((lastOrder.get(chargerId) ?? 0) > REMEMBERED) return;
  const reported = stores.chargers.get(chargerId)?.reported;
  expect(reported?.deviations['counted']?.count ?? 0).toBe(reports.length);
  const statuses = reports.filter(({ action }) => action === 'StatusNotification');
  const [last] = statuses.sort((a, b) => b.order - a.order || b.seq - a.seq);
  expect(reported?.sockets['1']?.position).toEqual(last && [last.order, last.seq]);
}

/** A start is one session with one transaction id and one verdict, however often it was sent and answered. */
function sessionsAreCounted({ answers, stores }: ModelWorld, chargerId: string): void {
  const starts = [...answers].filter(([key]) => key.startsWith(`["${chargerId}"`));
  const sessions = [...stores.startedSessions.values()].filter((session) => session.chargerId === chargerId);
  expect(sessions).toHaveLength(starts.length);
  for (const [, given] of starts) expect([...given]).toEqual([expect.stringContaining('"transactionId":')]);
}

/** 61. All start with one tag: at most one charger's start occupies it, until its socket is free. */
function tagIsUsedOnce({ stores }: ModelWorld): void {
  const accepted = [...stores.startedSessions.values()].filter(
    ({ verdict, state, startedOffline, tagReleased }) =>
      verdict === 'accepted' && state === 'ongoing' && !startedOffline && tagReleased !== true,
  );
  expect(new Set(accepted.map(({ chargerId }) => chargerId)).size).toBeLessThanOrEqual(1);
}

/** The answers and the record name the transaction of the row, and of no row that has ended. */
function recordNamesTheRows({ answers, stores, lastOrder }: ModelWorld, chargerId: string): void {
  const sessions = [...stores.startedSessions.values()].filter((session) => session.chargerId === chargerId);
  const answered = [...answers].flatMap(([key, given]) =>
    key.startsWith(`["${chargerId}"`) ? [...given].map(numberIn) : [],
  );
  expect(sessions.map(({ transactionId }) => transactionId).sort(byNumber)).toEqual(answered.sort(byNumber));
  for (const { sessionId, transactionId, refused } of Object.values(
    stores.chargers.get(chargerId)?.reported.ongoing ?? {},
  )) {
    const row = stores.startedSessions.get(sessionId);
    expect(transactionId).toBe(row?.transactionId);
    if ((lastOrder.get(chargerId) ?? 0) <= REMEMBERED)
      expect(row?.state).toBe(refused === true ? 'refused' : 'ongoing');
  }
}

/** A stop that reached the broker has ended its session. */
function stopsAreStored({ confirmed, stores }: ModelWorld, chargerId: string): void {
  for (const { action, payload } of confirmed.filter((report) => report.chargerId === chargerId)) {
    if (action !== 'StopTransaction') continue;
    const { transactionId } = payload as { readonly transactionId: number };
    const session = [...stores.startedSessions.values()].find((each) => each.transactionId === transactionId);
    if (session) expect([session.state, session.endTime]).toEqual(['ended', expect.any(String)]);
  }
}

function byNumber(a: number, b: number): number {
  return a - b;
}
