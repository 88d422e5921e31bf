// Random interleavings of everything that can happen to chargers, gateways, the broker and replicas, run through the
// service's own functions, against the truth: which sockets are open, and what was handed to the broker.
import fc from 'fast-check';
import { createModelWorld, type ModelWorld } from './testing/model-world';

const CHARGERS = ['a', 'b'];
const GATEWAYS = 3;
const REPLICAS = 2;
/** Connections whose progress a record keeps: see `applied.ts`. */
const REMEMBERED = 8;
/** Clocks of machines that nobody set. */
const CLOCK_ERRORS_MS = [0, -300_000, 240_000];

const charger = fc.constantFrom(...CHARGERS);
const gateway = fc.nat(GATEWAYS - 1);
const replica = fc.nat(REPLICAS - 1);
const status = fc.constantFrom('Available', 'Preparing', 'Charging', 'Finishing', 'Faulted');
const count = fc.integer({ min: 1, max: 6 });

type Step = (world: ModelWorld) => void | Promise<void>;

function named(name: string, step: Step): Step {
  return Object.assign(step, { [fc.toStringMethod]: () => name });
}

/** What happens most, most often: without it hardly a message is ever sent. */
const STEPS_OF_LIFE = 4;
const life: fc.Arbitrary<Step>[] = [
  fc.tuple(charger, gateway).map(([c, g]) => named(`connect ${c} to ${String(g)}`, (world) => world.connect(c, g))),
  charger.map((c) => named(`disconnect ${c}`, (world) => world.disconnect(c))),
  fc.tuple(charger, status, fc.boolean()).map(([c, word, timed]) =>
    named(`report ${c} ${word} ${timed ? 'timed' : 'untimed'}`, (world) =>
      world.report(c, 'StatusNotification', {
        ...{ connectorId: 1, status: word, errorCode: 'NoError' },
        ...(timed ? { timestamp: null } : {}),
      }),
    ),
  ),
  fc.tuple(charger, fc.nat(2)).map(([c, n]) =>
    named(`start ${c} ${String(n)}`, (world) =>
      world.report(c, 'StartTransaction', {
        ...{ connectorId: 1, idTag: 'T', meterStart: n },
        timestamp: '2026-01-01T12:00:00.000Z',
      }),
    ),
  ),
  fc
    .tuple(gateway, count, fc.boolean())
    .map(([g, n, lost]) =>
      named(`flush ${String(n)} of ${String(g)}${lost ? ', confirm lost' : ''}`, (world) => world.flush(g, n, lost)),
    ),
  count.map((n) => named(`consume ${String(n)}`, (world) => world.consume(n))),
];
const mishaps: fc.Arbitrary<Step>[] = [
  fc
    .tuple(count, fc.integer({ min: 1, max: 4 }))
    .map(([n, at]) => named(`consume ${String(n)}, paused before call ${String(at)}`, (world) => world.consume(n, at))),
  replica.map((r) => named(`wake ${String(r)}`, (world) => world.wake(r))),
  replica.map((r) => named(`take over by ${String(r)}`, (world) => world.takeOver(r))),
  replica.map((r) => named(`crash ${String(r)}`, (world) => world.crash(r))),
  gateway.map((g) => named(`renew ${String(g)}`, (world) => world.renew(g))),
  replica.map((r) => named(`tick ${String(r)}`, (world) => world.tick(r))),
  gateway.map((g) => named(`pause ${String(g)}`, (world) => world.pause(g))),
  gateway.map((g) => named(`resume ${String(g)}`, (world) => world.resume(g))),
  gateway.map((g) => named(`kill ${String(g)}`, (world) => world.kill(g))),
];

describe('whatever happens in whatever order', () => {
  it('ends with each record as the truth is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...life.map((arbitrary) => ({ arbitrary, weight: STEPS_OF_LIFE })), ...mishaps), {
          minLength: 10,
          maxLength: 120,
          size: 'max',
        }),
        async (history) => {
          const options = {
            chargers: CHARGERS,
            gateways: GATEWAYS,
            replicas: REPLICAS,
            clockErrorsMs: CLOCK_ERRORS_MS,
          };
          const world = createModelWorld(options);
          for (const step of history) await step(world);
          await world.settle();
          for (const chargerId of CHARGERS) isTrue(world, chargerId);
        },
      ),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 1_000) },
    );
  }, 120_000);
});

function isTrue(world: ModelWorld, chargerId: string): void {
  connectionIsTrue(world, chargerId);
  reportsAreCounted(world, chargerId);
  sessionsAreCounted(world, chargerId);
}

/** At most one socket is left open, the newest, and the record names it. */
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

/** What reached the broker is in the log, counted once, and the last word of it stands in the record. */
function reportsAreCounted({ confirmed, stores, lastOrder }: ModelWorld, chargerId: string): void {
  const said = [...new Set(confirmed)].filter((report) => report.chargerId === chargerId && report.raw !== '');
  for (const { id } of said) expect(stores.logIds).toContain(id);
  // Of more connections than are remembered the oldest one's late messages change no record.
  if ((lastOrder.get(chargerId) ?? 0) > REMEMBERED) return;
  const reported = stores.chargers.get(chargerId)?.reported;
  expect(reported?.deviations['counted']?.count ?? 0).toBe(said.length);
  const statuses = said.filter(({ action }) => action === 'StatusNotification');
  const [last] = statuses.sort((a, b) => b.order - a.order || b.seq - a.seq);
  expect(reported?.sockets['1']?.position).toEqual(last && [last.order, last.seq]);
}

/** A start is one session with one transaction id, however often it was said and answered. */
function sessionsAreCounted({ answers, stores }: ModelWorld, chargerId: string): void {
  const starts = [...answers].filter(([key]) => key.startsWith(`["${chargerId}"`));
  const sessions = [...stores.startedSessions.values()].filter((session) => session.chargerId === chargerId);
  expect(sessions).toHaveLength(starts.length);
  for (const [, given] of starts) expect([...given]).toEqual([expect.any(Number)]);
}
