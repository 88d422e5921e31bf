// Tests the feed when a process is killed, suspended or loses its store between two of its calls: each event once, and
// no number left out. `model.test.ts` does the same at random.
import { AppError } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { createCommittedPages, createNumberedPages, type FeedDesign } from '../testing/feed-designs';
import { eventsAreTrue, eventsOf, feedIsWhole } from '../testing/feed-truth';
import { createModelWorld, type ModelWorld } from '../testing/model-world';

const CHARGERS = ['a', 'b'];
/** More calls than a batch makes: the last ones pause behind its end. */
const CALLS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Two chargers with unread messages: connections, states, the start and the stop of a session. */
async function openModel(feed?: FeedDesign): Promise<ModelWorld> {
  const sizes = { chargers: CHARGERS, gateways: 2, replicas: 2, clockErrorsMs: [0] };
  const world = createModelWorld({ ...sizes, ...(feed ? { feed } : {}) });
  for (const [n, chargerId] of CHARGERS.entries()) await world.connect(chargerId, n);
  for (const chargerId of CHARGERS) {
    for (const status of ['Available', 'Preparing', 'Charging']) report(world, chargerId, status);
  }
  const start = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: '2026-01-01T12:00:00.000Z' };
  world.report('a', 'StartTransaction', start);
  for (const n of [0, 1]) world.flush(n, Infinity, false);
  return world;
}

function report(world: ModelWorld, chargerId: string, status: string): void {
  world.report(chargerId, 'StatusNotification', { connectorId: 1, status, errorCode: 'NoError' });
}

function isWhole(world: ModelWorld): void {
  for (const chargerId of CHARGERS) {
    feedIsWhole(world, chargerId);
    eventsAreTrue(world, chargerId);
  }
  const counts = CHARGERS.map((chargerId) => eventsOf(world).filter((event) => event.chargerId === chargerId).length);
  // A connection, three states of the socket and of the charger; one session began.
  expect(counts).toEqual([9, 8]);
}

describe.each([
  ['after their records', createNumberedPages],
  ['in one commit with their records', createCommittedPages],
])('a feed whose pages are written %s', (_title, createFeed) => {
  it('has every event once without a fault', async () => {
    const world = await openModel(createFeed());
    await world.converge();
    isWhole(world);
  });

  it.each(CALLS)('survives a kill before call %i, and redelivery to another owner in other portions', async (call) => {
    const world = await openModel(createFeed());
    await world.consume(6, call);
    world.crash(0);
    world.takeOver(1);
    await world.consume(2);
    await world.consume(5);
    await world.converge();
    isWhole(world);
  });

  it.each(CALLS)(
    'survives an owner that is suspended before call %i, and continues beside its successor',
    async (call) => {
      const world = await openModel(createFeed());
      await world.consume(6, call);
      world.takeOver(1);
      await world.consume(3);
      await world.wake(0);
      await world.consume(3);
      world.takeOver(0);
      await world.converge();
      isWhole(world);
    },
  );

  it.each(CALLS)('survives a record that another writer changes before call %i', async (call) => {
    const world = await openModel(createFeed());
    await world.consume(6, call);
    const from = world.stores.chargers.get('a');
    if (from === undefined) throw new Error('no record');
    await world.stores.reports.write(noRows(), [{ from, to: { ...from, revision: from.revision + 1 } }]);
    await world.wake(0);
    await world.converge();
    isWhole(world);
  });

  it.each(CALLS)(
    'ends a session once that its record never showed, with a kill before call %i of its stop',
    async (call) => {
      const world = createModelWorld({
        chargers: CHARGERS,
        gateways: 2,
        replicas: 2,
        clockErrorsMs: [0],
        feed: createFeed(),
      });
      const start = { connectorId: 1, idTag: 'T', timestamp: '2026-01-01T12:00:00.000Z' };
      for (const meterStart of [0, 1]) {
        await world.connect('a', meterStart);
        world.report('a', 'StartTransaction', { ...start, meterStart });
      }
      // The start of the older connection arrives late, so the other session stays in the record.
      for (const gateway of [1, 0]) {
        world.flush(gateway, Infinity, false);
        await world.consume(9);
      }
      world.stop('a', 1);
      world.flush(1, Infinity, false);
      await world.consume(1, call);
      world.crash(0);
      await world.converge();
      eventsAreTrue(world, 'a');
      const ends = eventsOf(world).filter(({ type }) => type === 'session.ended');
      // It was given up as it began, and then it stopped.
      expect(ends).toMatchObject([{ data: { superseded: true } }, { data: { superseded: false } }]);
    },
  );
});

it('survives a store that is unavailable between the record and the page', async () => {
  const world = await openModel(unavailableOnce());
  await expect(world.consume(6)).rejects.toMatchObject({ code: 'unavailable' });
  await world.converge();
  isWhole(world);
});

it('counts events as in the feed whose page was deleted by age', async () => {
  const pruned = new Set<number>();
  const numbered = createNumberedPages();
  const world = await openModel({
    inOrder: numbered.inOrder,
    ofReplica(term, batch) {
      const { pages, write } = numbered.ofReplica(term, batch);
      const left = async (...[ids]: Parameters<typeof pages.highestIn>) =>
        pages.highestIn(ids.filter(({ page }) => !pruned.has(page)));
      return { pages: { lastPage: pages.lastPage, highestIn: left }, write };
    },
  });
  while (world.feed.inOrder().length < 2) await world.consume(2);
  pruned.add(1);
  pruned.add(2);
  world.crash(0);
  await world.converge();
  isWhole(world);
});

/** The first page cannot be written. */
function unavailableOnce(): FeedDesign {
  const numbered = createNumberedPages();
  let isUnavailable = true;
  return {
    inOrder: numbered.inOrder,
    ofReplica(term, batch) {
      const { pages, write } = numbered.ofReplica(term, batch);
      return {
        pages,
        write(page) {
          if (!isUnavailable) return write(page);
          isUnavailable = false;
          throw new AppError('unavailable', 'the store does not answer');
        },
      };
    },
  };
}
