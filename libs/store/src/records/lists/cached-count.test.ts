import { createCachedCount } from './cached-count';

describe('createCachedCount', () => {
  const counting = (rows: number) => {
    const asked: string[] = [];
    const read = (question: string) => Promise.resolve({ nth: asked.push(question), rows });
    return { asked, countOf: createCachedCount(read, (counted) => counted.rows) };
  };

  it('caches the count of many rows for equal queries', async () => {
    const { asked, countOf } = counting(10_001);
    expect([await countOf('a'), await countOf('a'), await countOf('b')].map(({ nth }) => nth)).toEqual([1, 1, 2]);
    expect(asked).toEqual(['a', 'b']);
  });

  it('counts few rows for each query', async () => {
    const { asked, countOf } = counting(10_000);
    for (const question of ['a', 'a']) await countOf(question);
    expect(asked).toEqual(['a', 'a']);
  });

  it('does not cache a failure', async () => {
    let failures = 1;
    const countOf = createCachedCount(
      () => (failures-- > 0 ? Promise.reject(new Error('unavailable')) : Promise.resolve(20_000)),
      (rows) => rows,
    );
    await expect(countOf('a')).rejects.toThrow('unavailable');
    expect(await countOf('a')).toBe(20_000);
  });
});
