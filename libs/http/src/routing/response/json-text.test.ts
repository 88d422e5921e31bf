import { jsonText } from './json-text';

describe('JSON text of asynchronous sequences', () => {
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
  ])('equals JSON.stringify without sequences: %j', async (value) => {
    expect(await read(value)).toBe(JSON.stringify(value));
  });

  it('serializes a sequence as an array', async () => {
    expect(await read(each([]))).toBe('[]');
    expect(await read(each([1]))).toBe('[1]');
    expect(await read(each([{ a: [1] }, 'b', null]))).toBe('[{"a":[1]},"b",null]');
    expect(await read([{ name: 'a', items: each([1, 2]), below: [{ items: each([]) }] }, each([3])])).toBe(
      '[{"name":"a","items":[1,2],"below":[{"items":[]}]},[3]]',
    );
  });

  it('reads only as far as chunks are consumed, and ends the sequence', async () => {
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
