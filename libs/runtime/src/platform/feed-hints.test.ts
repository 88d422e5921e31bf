import { createMemoryBroker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import type { FeedPageId } from '@busbar/domain/feed';
import { createRecordingLogger, eventually } from '@busbar/testing';
import { createFeedHints } from './feed-hints';

it('calls each handler with the pages that are broadcast, until it is stopped', async () => {
  const broker = createMemoryBroker({ logger: createRecordingLogger(), clock: systemClock });
  await broker.start();
  const hints = createFeedHints(broker);
  const received: FeedPageId[] = [];
  hints.listen((page) => received.push(page));
  hints.listen((page) => received.push(page));
  await hints.start();
  const page = { clientId: 'c', partition: 3, page: 42 };
  broker.broadcast(channels.eventPages, page);
  await eventually(() => received.length === 2);
  expect(received).toEqual([page, page]);
  await hints.stop();
  broker.broadcast(channels.eventPages, page);
  await broker.stop();
  expect(received).toHaveLength(2);
});
