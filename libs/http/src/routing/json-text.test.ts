import { jsonText } from './json-text';

describe('the JSON of what is read while it is sent', () => {
  it.each([
    [null],
    [true],
    [1.5],
    ['a "b"\n'],
    [[]],
    [{}],
    [[1, [2, []], { a: 'b' }]],
    [{ a: [{ b: null }, 1], 'c"': {} }],
    [{ gone: undefined, stored: 1 }],
  ])('of a value without sequences is that of JSON.stringify: %j', async (value) => {
    expect(await read(value)).toBe(JSON.stringify(value));
  });

  it('has a sequence as an array', async () => {
    expect(await read(each([]))).toBe('[]');
    expect(await read(each([1]))).toBe('[1]');
    expect(await read(each([{ a: [1] }, 'b', null]))).toBe('[{"a":[1]},"b",null]');
    expect(await read([{ name: 'a', items: each([1, 2]), below: [{ items: each([]) }] }, each([3])])).toBe(
      '[{"name":"a","items":[1,2],"below":[{"items":[]}]},[3]]',
    );
  });

  it('is read no further than its pieces are taken, and ended when no more are', async () => {
    const seen: unknown[] = [];
    async function* items() {
      try {
        for (let i = 0; ; i += 1) {
          seen.push(i);
          yield await Promise.resolve(i);
        }
      } finally {
        seen.push('ended');
      }
    }
    for await (const piece of jsonText({ items: items() })) if (piece.includes('1')) break;
    expect(seen).toEqual([0, 1, 'ended']);
  });
});

async function* each(items: readonly unknown[]): AsyncGenerator {
  for (const item of items) yield await Promise.resolve(item);
}

async function read(value: unknown): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of jsonText(value)) pieces.push(piece);
  return pieces.join('');
}
