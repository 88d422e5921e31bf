import type { Broker, PublishFailure } from '@busbar/broker';
import type { DeadLetter } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { createRecordingLogger } from '@busbar/testing';
import { createDeadLetters } from './dead-letters';
import { newReport } from '../testing/report';

/** A broker that accepts no message above this number of characters. */
function openWorld(maxCharacters: number, failure?: PublishFailure) {
  const taken: DeadLetter[] = [];
  const deadLettered: string[] = [];
  const enqueue: Broker['enqueue'] = (_channel, _partition, body, done) => {
    const isLarge = JSON.stringify(body).length > maxCharacters;
    if (failure === undefined && !isLarge) taken.push(body as DeadLetter);
    setImmediate(done, failure ?? (isLarge ? 'unsendable' : undefined));
  };
  const letters = createDeadLetters({
    broker: { enqueue } as unknown as Broker,
    store: {
      insert: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      find: () => Promise.resolve(undefined),
      drop: () => Promise.resolve(false),
      count: () => Promise.resolve(0),
    },
    clock: systemClock,
    logger: createRecordingLogger(),
    onDeadLettered: (kind) => deadLettered.push(kind),
  });
  return { letters, taken, deadLettered };
}

const report = newReport({ id: '01MCC5RM3VZVEBN63PAGS10093', action: 'DataTransfer', raw: 'x'.repeat(1_200_000) });

it('stores the beginning of a message that is too large for the broker, and its partition continues', async () => {
  const { letters, taken, deadLettered } = openWorld(1_100_000);
  await letters.deadLetter(report, new Error('it does not fit'));
  expect(taken).toMatchObject([{ id: report.id, text: JSON.stringify(report).slice(0, 1_000_000) }]);
  expect(taken[0]?.reason).toContain('it does not fit');
  expect(deadLettered).toEqual(['failed']);
});

it('stores a message that the broker takes completely', async () => {
  const { letters, taken } = openWorld(2_000_000);
  await letters.deadLetter(report, new Error('it does not fit'));
  expect(taken).toMatchObject([{ report, reason: 'it does not fit' }]);
});

it('does not complete a message while the broker is unavailable', async () => {
  const { letters, deadLettered } = openWorld(2_000_000, 'unavailable');
  await expect(letters.deadLetter(report, new Error('it does not fit'))).rejects.toMatchObject({ code: 'unavailable' });
  expect(deadLettered).toEqual([]);
});
