// A thousand streams of one process, one of which does not read.
import { connect } from 'node:net';
import type { FeedPageId } from '@busbar/domain/feed';
import { createApiKey, type ApiKey } from '@busbar/domain/clients';
import { systemClock } from '@busbar/core';
import { countStream, eventually, reachableBytes, serve, type CountedStream, type Served } from '@busbar/testing';
import { openApp, type TestApp } from '../testing/open-app';
import { createEventWriter, eventCharger } from '../testing/write-events';

const STREAMS = 1_000;
const STREAMS_OF_A_KEY = 20;
const EVENTS = 60;
/** In each of as many pages: together more than sockets hold on both sides, beside the mebibyte that the service keeps. */
const LARGE_IN_A_PAGE = 25;
const LARGE = 'x'.repeat(19_000);
/** What the service and the test may keep beside what they kept when all streams had begun: the events come to 28 MiB. */
const MEMORY_BYTES = 16 * 1_048_576;
const TEST_MS = 240_000;

let world: TestApp;
let served: Served;
let hint: (page: FeedPageId) => void;
const opened: CountedStream[] = [];
beforeAll(async () => {
  const feedHints = { listen: (handler: typeof hint) => void (hint = handler) };
  world = await openApp({ feedHints });
  served = await serve(world.app.handle);
});
afterAll(async () => {
  for (const { socket } of opened) socket.destroy();
  await served.close();
  await world.close();
});

async function keys(count: number): Promise<readonly string[]> {
  const { apiKeys } = world.platform.records;
  const { clientId } = world.own.client;
  const permissions: ApiKey['permissions'] = ['events:read', 'chargers:read', 'logs:read'];
  const input = { clientId, name: 'many', permissions, expiresAt: null };
  const made = Array.from({ length: count }, () => createApiKey({ apiKeys, clock: systemClock }, input));
  return (await Promise.all(made)).map(({ secret }) => secret);
}

function openRaw(secret: string, query: string): CountedStream {
  const { hostname, port } = new URL(served.origin);
  const head = [
    `GET /v2/events/stream?${query} HTTP/1.1`,
    'host: x',
    'x-forwarded-proto: https',
    `x-api-key: ${secret}`,
  ];
  const stream = countStream(connect(Number(port), hostname), head);
  opened.push(stream);
  return stream;
}

it(
  'serves a thousand streams with every event, and cuts off the one that does not read',
  async () => {
    const secrets = await keys(STREAMS / STREAMS_OF_A_KEY);
    const secretOf = (n: number): string => secrets[Math.floor(n / STREAMS_OF_A_KEY)] ?? '';
    const streams = Array.from({ length: STREAMS - 1 }, (_, n) => openRaw(secretOf(n), 'types=charger.booted'));
    const slow = openRaw(secretOf(STREAMS - 1), 'types=*');
    await eventually(() => [...streams, slow].every(({ hasBegun }) => hasBegun()), TEST_MS);
    slow.socket.pause();
    const before = await reachableBytes();
    const events = createEventWriter(world, (page) => hint(page));
    const charger = eventCharger('MANY');
    for (let n = 0; n < EVENTS; n += 1) {
      await events.write(charger, 'charger.booted');
      await events.writeLarge(charger, LARGE_IN_A_PAGE, LARGE);
    }
    await eventually(() => streams.every(({ received }) => received() === EVENTS), TEST_MS);
    const after = await reachableBytes();
    expect(after - before).toBeLessThan(MEMORY_BYTES);
    expect(streams.some(({ isClosed }) => isClosed())).toBe(false);
    slow.socket.resume();
    await eventually(slow.isClosed, TEST_MS);
    expect(slow.received()).toBeLessThan(EVENTS * LARGE_IN_A_PAGE);
  },
  TEST_MS * 2,
);
