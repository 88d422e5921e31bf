import { createGatheredGets } from './gathered-gets';

interface Row {
  readonly _id: string;
}

function createReads() {
  const asked: (readonly string[])[] = [];
  const get = createGatheredGets<Row>((ids) => {
    asked.push(ids);
    if (ids.includes('broken')) return Promise.reject(new Error('the store does not answer'));
    return Promise.resolve(ids.filter((id) => id !== 'missing').map((_id) => ({ _id })));
  });
  return { asked, get };
}

describe('reads of one turn', () => {
  it('shares a query, and gives each its own document', async () => {
    const { asked, get } = createReads();
    const found = await Promise.all([get('a'), get('missing'), get('b'), get('a')]);
    expect(found).toEqual([{ _id: 'a' }, undefined, { _id: 'b' }, { _id: 'a' }]);
    expect(asked).toEqual([['a', 'missing', 'b']]);
  });

  it('splits many reads into several queries', async () => {
    const { asked, get } = createReads();
    const ids = Array.from({ length: 2_500 }, (_each, n) => `C_${String(n)}`);
    const found = await Promise.all(ids.map(get));
    expect(found.map((row) => row?._id)).toEqual(ids);
    expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  });

  it('fails them together, and reads again in the next turn', async () => {
    const { asked, get } = createReads();
    const outcomes = await Promise.allSettled([get('a'), get('broken')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get('a')).toEqual({ _id: 'a' });
    expect(asked).toEqual([['a', 'broken'], ['a']]);
  });
});

it('does not answer a read with a query that was sent before it', async () => {
  let stored = 1;
  const get = createGatheredGets((ids) => Promise.resolve(ids.map((_id) => ({ _id, value: stored }))));
  expect(await get('a')).toMatchObject({ value: 1 });
  const first = get('a');
  await new Promise(setImmediate);
  stored = 2;
  expect([await first, await get('a')]).toMatchObject([{ value: 1 }, { value: 2 }]);
});
