import { AppError } from '@busbar/core';

import { createCalls } from './calls';
import type { Reply, Turn, WriteRequest } from './protocol';

const write: WriteRequest = { op: 'probe' };

function world(maxWaiting = 100) {
  const turns: Turn[] = [];
  const calls = createCalls({ maxWaiting });
  calls.open((turn) => turns.push(turn));
  /** Answers everything that was sent with its own number. */
  const answer = (reply: (call: number) => Reply = (call) => [call, call]): void => {
    const sent = turns.splice(0).flatMap(({ writes, reads }) => [...writes, ...reads]);
    calls.replied({ wrote: true, replies: sent.map(([call]) => reply(call)) });
  };
  return { turns, calls, answer };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is asked for in one go is sent together, in order, and before anything else happens', async () => {
  const { turns, calls, answer } = world();
  const results = Promise.all([calls.write(1, write), calls.read({ op: 'hold' }), calls.write(1, write)]);
  await Promise.resolve();
  expect(turns).toEqual([{ writes: [[1, write], [3, write]], reads: [[2, { op: 'hold' }]] }]); // prettier-ignore
  answer();
  expect(await results).toEqual([1, 2, 3]);
});

test('an answer of an error rejects that call alone, with the code and what was behind it', async () => {
  const { calls, answer } = world();
  const outcomes = Promise.allSettled([calls.write(1, write), calls.write(1, write)]);
  await nextTurn();
  answer((call) =>
    call === 1 ? [1, undefined, { code: 'conflict', message: 'taken', cause: 'why' }] : [call, 'done'],
  );
  const [first, second] = await outcomes;
  expect(first).toMatchObject({ reason: { code: 'conflict', message: 'taken', cause: { message: 'why' } } });
  expect(second).toEqual({ status: 'fulfilled', value: 'done' });
});

test('more than may wait is refused at once until there is room again, and one large write alone is let in', async () => {
  const { calls, answer } = world(3);
  const large = calls.write(5, write);
  await expect(calls.write(1, write)).rejects.toMatchObject({ code: 'unavailable' });
  await nextTurn();
  answer();
  await large;
  const next = calls.write(1, write);
  await nextTurn();
  answer();
  await expect(next).resolves.toBeDefined();
});

test('after a write that was refused no other of the same go is taken, so that what is taken has no gap', async () => {
  const { turns, calls, answer } = world(10);
  const first = calls.write(8, write);
  const outcomes = Promise.allSettled([calls.write(5, write), calls.write(1, write)]);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await nextTurn();
  expect(turns).toHaveLength(1);
  expect(turns[0]?.writes).toHaveLength(1);
  const next = calls.write(1, write);
  await nextTurn();
  answer();
  await Promise.all([first, next]);
});

test('what holds the file still, or lets it go, is taken however much waits', async () => {
  const { calls, answer } = world(2);
  const full = calls.write(2, write);
  const held = [calls.read({ op: 'hold' }), calls.read({ op: 'release' })];
  await expect(calls.read({ op: 'get', at: 0, id: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  await nextTurn();
  answer();
  await Promise.all([full, ...held]);
});

test('when the engine is lost everything under way fails, and what is asked later', async () => {
  const { calls } = world();
  const waiting = calls.write(1, write);
  calls.lost(new AppError('unavailable', 'gone'));
  await expect(waiting).rejects.toMatchObject({ message: 'gone' });
  await expect(calls.read({ op: 'hold' })).rejects.toMatchObject({ code: 'unavailable' });
});

test('sealed, it takes nothing more and is quiet when the last answer is there', async () => {
  const { calls, answer } = world();
  const last = calls.write(1, write);
  calls.seal();
  await expect(calls.write(1, write)).rejects.toMatchObject({ code: 'unavailable' });
  const quiet = calls.quiet();
  await nextTurn();
  answer();
  await Promise.all([last, quiet]);
});
