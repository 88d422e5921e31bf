import { AppError } from '@busbar/core';

import { createCalls } from './calls';
import type { Reply, Turn, WriteRequest } from './protocol';

const write: WriteRequest = { op: 'probe' };

function world(maxWaiting = 100) {
  const turns: Turn[] = [];
  const calls = createCalls({ maxWaiting });
  calls.open((turn) => turns.push(turn));
  /** Replies to each sent request with its own number. */
  const answer = (reply: (call: number) => Reply = (call) => [call, call]): void => {
    const sent = turns.splice(0).flatMap(({ writes, reads }) => [...writes, ...reads]);
    calls.replied({ wrote: true, replies: sent.map(([call]) => reply(call)) });
  };
  return { turns, calls, answer };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('sends the requests of one turn of the event loop together and in order', async () => {
  const { turns, calls, answer } = world();
  const results = Promise.all([calls.write(1, write), calls.read({ op: 'hold' }), calls.write(1, write)]);
  await Promise.resolve();
  expect(turns).toEqual([{ writes: [[1, write], [3, write]], reads: [[2, { op: 'hold' }]] }]); // prettier-ignore
  answer();
  expect(await results).toEqual([1, 2, 3]);
});

it('rejects only the call whose reply is an error, with its code and cause', async () => {
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

it('rejects requests above the limit immediately, and accepts one large write when nothing else waits', async () => {
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

it('rejects the later writes of a turn after a rejected one, so that accepted writes have no gap', async () => {
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

it('accepts hold and release above the limit', async () => {
  const { calls, answer } = world(2);
  const full = calls.write(2, write);
  const held = [calls.read({ op: 'hold' }), calls.read({ op: 'release' })];
  await expect(calls.read({ op: 'get', at: 0, id: 'a' })).rejects.toMatchObject({ code: 'unavailable' });
  await nextTurn();
  answer();
  await Promise.all([full, ...held]);
});

it('fails requests in flight and later ones when the engine is lost', async () => {
  const { calls } = world();
  const waiting = calls.write(1, write);
  calls.lost(new AppError('unavailable', 'gone'));
  await expect(waiting).rejects.toMatchObject({ message: 'gone' });
  await expect(calls.read({ op: 'hold' })).rejects.toMatchObject({ code: 'unavailable' });
});

it('rejects requests when it is sealed, and is quiet after the last reply', async () => {
  const { calls, answer } = world();
  const last = calls.write(1, write);
  calls.seal();
  await expect(calls.write(1, write)).rejects.toMatchObject({ code: 'unavailable' });
  const quiet = calls.quiet();
  await nextTurn();
  answer();
  await Promise.all([last, quiet]);
});
