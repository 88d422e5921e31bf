import { createConnection, mongo } from 'mongoose';
import { isAppError } from '@busbar/core';
import { createModel, makeIndexes } from './model';

const ROWS = { name: 'rows', indexes: [{ name: 'byN', paths: [['n', 1]] }] } as const;

/** A model on a connection that was never opened, whose collection answers each request for an index with the next of these. */
function modelThatAnswers(...answers: readonly (Error | string)[]) {
  const { schema } = createModel(createConnection(), ROWS);
  const asked: string[] = [];
  const left = [...answers];
  const answer = (what: string) => (): Promise<string> => {
    asked.push(what);
    const next = left.shift() ?? 'done';
    return typeof next === 'string' ? Promise.resolve(next) : Promise.reject(next);
  };
  const collection = { name: 'rows', createIndex: answer('create'), dropIndex: answer('drop') };
  return { model: { schema, collection } as unknown as Parameters<typeof makeIndexes>[0], asked };
}

const slow = (): Error => new mongo.MongoNetworkTimeoutError('connection timed out');
const refused = (code: number): Error => new mongo.MongoServerError({ message: 'no', code });

it('an index that takes longer than an answer is waited for is asked for again, until it is there', async () => {
  const { model, asked } = modelThatAnswers(slow(), slow(), 'byN');
  const told: string[] = [];
  await makeIndexes(model, (index) => told.push(index));
  expect(asked).toEqual(['create', 'create', 'create']);
  expect(told).toEqual(['byN', 'byN']);
});

it('one whose declaration changed is made anew, however long that takes', async () => {
  const { model, asked } = modelThatAnswers(refused(86), 'dropped', slow(), 'byN');
  await makeIndexes(model, () => undefined);
  expect(asked).toEqual(['create', 'drop', 'create', 'create']);
});

it('a server that is away is not asked again', async () => {
  const { model, asked } = modelThatAnswers(new mongo.MongoNetworkError('connect ECONNREFUSED'));
  await expect(makeIndexes(model, () => undefined)).rejects.toThrow('ECONNREFUSED');
  expect(asked).toEqual(['create']);
});

it('what is stored twice at a path that must be unique is said', async () => {
  const { model } = modelThatAnswers(refused(11_000));
  const failure: unknown = await makeIndexes(model, () => undefined).catch((error: unknown) => error);
  expect(isAppError(failure, 'invalid_configuration')).toBe(true);
});
