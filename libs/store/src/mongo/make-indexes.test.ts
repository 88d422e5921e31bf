import { createConnection, mongo } from 'mongoose';
import { createFakeClock, eventually } from '@busbar/testing';
import { makeIndexes } from './make-indexes';
import { createModel } from './model';

const ROWS = { name: 'rows', indexes: [{ name: 'byN', paths: [['n', 1]] }] } as const;

/** Creates a model on a closed connection. Its collection replies to each request for an index with the next of these. */
function modelThatAnswers(...answers: readonly (Error | string | Promise<string>)[]) {
  const { schema } = createModel(createConnection(), ROWS);
  const asked: string[] = [];
  const left = [...answers];
  const answer = (what: string) => (): Promise<string> => {
    asked.push(what);
    const next = left.length > 1 ? left.shift() : left[0];
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? 'done');
  };
  const collection = { name: 'rows', createIndex: answer('create'), dropIndex: answer('drop') };
  const clock = createFakeClock();
  const stop = new AbortController();
  const reported: string[] = [];
  const onSlow = (name: string, index: string): void => void reported.push(`${name}.${index}`);
  const model = { schema, collection } as unknown as Parameters<typeof makeIndexes>[0];
  return { asked, reported, clock, stop, made: makeIndexes(model, { clock, onSlow, signal: stop.signal }) };
}

const slow = (): Error => new mongo.MongoNetworkTimeoutError('connection timed out');
const refused = (code: number): Error => new mongo.MongoServerError({ message: 'no', code });
const CREATES = (count: number): string[] => Array.from({ length: count }, () => 'create');

it('retries an index whose build outlasts the timeout, with backoff, until it exists', async () => {
  const { asked, reported, clock, made } = modelThatAnswers(slow(), slow(), slow(), 'byN');
  for (const [n, pauseMs] of [1_000, 2_000, 4_000].entries()) {
    await eventually(() => reported.length === n + 1);
    await Promise.resolve();
    clock.advance(pauseMs - 1);
    expect(asked).toEqual(CREATES(n + 1));
    clock.advance(1);
  }
  await made;
  expect(asked).toEqual(CREATES(4));
  expect(reported).toEqual(['rows.byN', 'rows.byN', 'rows.byN']);
});

it('does not retry an index when the store is stopped', async () => {
  const { asked, reported, stop, made } = modelThatAnswers(slow());
  await eventually(() => reported.length === 1);
  stop.abort();
  await expect(made).rejects.toMatchObject({ code: 'unavailable', message: 'the store is stopped' });
  expect(asked).toEqual(CREATES(1));
});

it('rejects a call that the driver lost with unavailable', async () => {
  const { asked, clock, made } = modelThatAnswers(new Promise<string>(() => undefined));
  await eventually(() => asked.length === 1);
  clock.advance(30_000);
  await expect(made).rejects.toMatchObject({ code: 'unavailable' });
});

it('recreates an index whose declaration changed', async () => {
  const { asked, made } = modelThatAnswers(refused(86), 'dropped', 'byN');
  await made;
  expect(asked).toEqual(['create', 'drop', 'create']);
});

it('tolerates another process that recreates the index at the same time', async () => {
  // The other process dropped it first, aborted the build by dropping it, then created it.
  const { asked, made } = modelThatAnswers(refused(86), refused(27), refused(276), 'byN');
  await made;
  expect(asked).toEqual(['create', 'drop', 'create', 'create']);
});

it('rejects an index that another process keeps declaring differently', async () => {
  const { made } = modelThatAnswers(refused(276));
  await expect(made).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('run one version of this service') as string,
  });
});

it.each([
  ['unreachable', new mongo.MongoNetworkError('connect ECONNREFUSED')],
  ['silent when a connection is made', new mongo.MongoNetworkTimeoutError('timed out', { beforeHandshake: true })],
])('does not retry on a server that is %s', async (_how, error) => {
  const { asked, made } = modelThatAnswers(error);
  await expect(made).rejects.toBe(error);
  expect(asked).toEqual(CREATES(1));
});

it('rejects a unique index over duplicates with invalid_configuration', async () => {
  const { made } = modelThatAnswers(refused(11_000));
  await expect(made).rejects.toMatchObject({ code: 'invalid_configuration' });
});
