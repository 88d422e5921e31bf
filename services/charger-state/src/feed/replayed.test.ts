// Events of dead letters that an operator replays, while their connection has gone on.
import type { FeedEvent, ReportEnvelope } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { createFeedPages, createFeedReader, createReportStore } from '@busbar/store';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica, type Replica } from '../testing/replica';
import { newReport } from '../testing/report';
import { createBatchEvents } from './batch-events';
import { createFeedOwner } from './feed-owner';

const AT = '2026-01-01T12:00:00.000Z';
const START = { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: AT };
const VALUES = { connectorId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: '7' }] }] };
const STATUS = { connectorId: 1, status: 'Charging', errorCode: 'NoError' };

let world: ChargerStateWorld;
let charger: Charger;
let replica: Replica;

/** One more owner, with an empty cache. */
function newOwner(): Replica {
  const { store } = world.platform;
  const reports = createReportStore(store);
  const owner = createFeedOwner({ partition: 0, pages: createFeedPages(store), reports, clock: systemClock });
  const createEvents = () => createBatchEvents(() => null);
  return createReplica(world, {
    feed: { owner, readSites: () => undefined, createEvents, onStored: () => undefined },
  });
}

function report(seq: number, action: string, payload: object, over: Partial<ReportEnvelope> = {}): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  return newReport({ chargerId, incarnationId, order: 1, seq, action, payload, receivedAt: AT, ...over });
}

const letter = (seq: number, action: string, payload: object): ReportEnvelope =>
  report(seq, action, payload, { replayed: true });

async function eventsOf(): Promise<string[]> {
  const { clientId, chargerId } = charger;
  const pages = await createFeedReader(world.platform.store).pagesAfter({ clientId, partition: 0, page: 0 }, 200);
  const events = pages.flatMap((page) => JSON.parse(page.events) as FeedEvent[]);
  const own = events.filter((event) => event.chargerId === chargerId);
  expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_event, n) => n + 1));
  const [created, ...others] = own.map(({ type }) => type);
  expect(created).toBe('charger.created');
  return others;
}

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());
beforeEach(async () => {
  charger = await world.register();
  replica = newOwner();
  // The message between them became a dead letter.
  await replica(report(1, 'Heartbeat', {}), report(3, 'Heartbeat', {}));
});

it.each([
  ['meter values', 'MeterValues', VALUES, ['meter.values']],
  ['a start', 'StartTransaction', START, ['session.started']],
])(
  'makes the events of %s once, however often it is delivered, and to whomever',
  async (_what, action, payload, types) => {
    const replayed = letter(2, action, payload);
    await replica(replayed);
    expect(await eventsOf()).toEqual(types);
    await replica(replayed, report(4, 'Heartbeat', {}), replayed);
    await newOwner()(replayed);
    expect(await eventsOf()).toEqual(types);
  },
);

it('makes no second event of a start that the charger sends again', async () => {
  await replica(letter(2, 'StartTransaction', START));
  await replica(report(4, 'StartTransaction', START));
  expect(await eventsOf()).toEqual(['session.started']);
});

it('makes no event of a state, since the record does not change', async () => {
  await replica(letter(2, 'StatusNotification', STATUS));
  expect(await eventsOf()).toEqual([]);
  expect((await world.read(charger)).reported.sockets).toEqual({});
});

it('makes all events of the last message of a connection, once', async () => {
  const replayed = letter(4, 'StatusNotification', STATUS);
  const values = letter(5, 'MeterValues', VALUES);
  await replica(replayed, values);
  const types = await eventsOf();
  expect(types).toContain('socket.state_changed');
  expect(types.filter((type) => type === 'meter.values')).toHaveLength(1);
  await newOwner()(replayed, values);
  expect(await eventsOf()).toEqual(types);
});

it('remembers a replayed letter over later events of the charger', async () => {
  const replayed = letter(2, 'MeterValues', VALUES);
  await replica(replayed);
  await replica(report(4, 'StatusNotification', STATUS, { kind: 'report' }));
  const types = await eventsOf();
  await newOwner()(replayed);
  expect(await eventsOf()).toEqual(types);
});

it('makes no event of a redelivery that no operator replayed', async () => {
  await replica(report(2, 'MeterValues', VALUES));
  expect(await eventsOf()).toEqual([]);
});
