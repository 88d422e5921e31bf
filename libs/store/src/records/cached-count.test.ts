import { createCachedCount } from './cached-count';

describe('a kept count', () => {
  const counting = (rows: number) => {
    const asked: string[] = [];
    const read = (question: string) => Promise.resolve({ nth: asked.push(question), rows });
    return { asked, countOf: createCachedCount(read, (counted) => counted.rows) };
  };

  it('of many rows is given again to the same question, and to no other', async () => {
    const { asked, countOf } = counting(10_001);
    expect([await countOf('a'), await countOf('a'), await countOf('b')].map(({ nth }) => nth)).toEqual([1, 1, 2]);
    expect(asked).toEqual(['a', 'b']);
  });

  it('of few rows is made each time', async () => {
    const { asked, countOf } = counting(10_000);
    for (const question of ['a', 'a']) await countOf(question);
    expect(asked).toEqual(['a', 'a']);
  });

  it('that fails is not kept', async () => {
    let failures = 1;
    const countOf = createCachedCount(
      () => (failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve(20_000)),
      (rows) => rows,
    );
    await expect(countOf('a')).rejects.toThrow('away');
    expect(await countOf('a')).toBe(20_000);
  });
});
