import { AppError } from '@busbar/core';

import { createWriteQueue } from './write-queue';

function world(options: { maxWaiting?: number; failCommit?: () => boolean } = {}) {
  const log: string[] = [];
  const queue = createWriteQueue({
    transaction: {
      begin: () => log.push('begin'),
      commit() {
        if (options.failCommit?.() === true) throw new Error('disk I/O error');
        log.push('commit');
      },
      rollback: () => log.push('rollback'),
      failsAll: (error) => error instanceof Error && error.message === 'everybody',
    },
    maxWaiting: options.maxWaiting ?? 100,
    onOutcome: (error) => log.push(error ? 'down' : 'up'),
  });
  const add = (name: string): Promise<string> =>
    queue.add(1, () => {
      log.push(name);
      return name;
    });
  return { log, queue, add };
}

const fail = (message: string) => (): never => {
  throw new Error(message);
};

test('what is asked for in one turn is done in order in one transaction', async () => {
  const { log, add } = world();
  expect(await Promise.all([add('a'), add('b'), add('c')])).toEqual(['a', 'b', 'c']);
  await add('d');
  expect(log).toEqual(['begin', 'a', 'b', 'c', 'commit', 'up', 'begin', 'd', 'commit', 'up']);
});

test('an operation that fails by itself rejects alone', async () => {
  const { log, queue, add } = world();
  const outcomes = await Promise.allSettled([add('a'), queue.add(1, fail('mine')), add('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['begin', 'a', 'b', 'commit', 'up']);
});

test.each(['commit', 'operation'])(
  'a failure of the disk at the %s rejects all and the next group is tried',
  async (at) => {
    let failing = true;
    const { log, queue, add } = world({ failCommit: () => failing && at === 'commit' });
    const bad = at === 'operation' ? queue.add(1, fail('everybody')) : add('bad');
    const outcomes = await Promise.allSettled([add('a'), bad, add('b')]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
    expect(log.slice(-2)).toEqual(['rollback', 'down']);
    failing = false;
    expect(await add('c')).toBe('c');
  },
);

test('nothing is answered before the commit', async () => {
  const answered: string[] = [];
  let answeredAtCommit = -1;
  const { add } = world({
    failCommit() {
      answeredAtCommit = answered.length;
      return false;
    },
  });
  await Promise.all(['a', 'b'].map(async (name) => answered.push(await add(name))));
  expect(answeredAtCommit).toBe(0);
});

test('more than may wait is refused at once, and one large write alone is let in', async () => {
  const { queue } = world({ maxWaiting: 3 });
  const work = (): number => 1;
  const outcomes = await Promise.allSettled([queue.add(5, work), queue.add(1, work)]);
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'unavailable' } }]);
  expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(AppError);
  await expect(queue.add(1, work)).resolves.toBe(1);
});

test('quiet resolves when nothing waits', async () => {
  const { queue, add, log } = world();
  await queue.quiet();
  void add('a');
  await queue.quiet();
  expect(log).toContain('commit');
});
