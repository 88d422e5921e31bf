import { keyOf, bloomFilterOf, mightContain as mightContainKey, type BloomFilter } from './bloom-filter';

const mightContain = (set: BloomFilter, text: string): boolean => mightContainKey(set, keyOf(text));

const texts = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(8, '0')}`);

it.each([1, 7, 300, 16_384])('finds all of %i added texts, with one byte for each', (count) => {
  const set = bloomFilterOf(texts(count, '01ARZ3'));
  expect(set).toHaveLength(count);
  expect(texts(count, '01ARZ3').filter((text) => !mightContain(set, text))).toEqual([]);
});

it('has fewer than 3 % false positives among similar texts', () => {
  const set = bloomFilterOf(texts(16_384, 'charger-'));
  const strangers = [...texts(26_384, 'charger-').slice(16_384), ...texts(10_000, 'Charger-')];
  expect(strangers.filter((text) => mightContain(set, text)).length).toBeLessThan(strangers.length * 0.03);
});

it('finds nothing in an empty filter, and any text that was added', () => {
  expect(texts(1_000, '').filter((text) => mightContain(bloomFilterOf([]), text))).toEqual([]);
  const odd = ['', ' ', '\u0001', 'ä', 'a\u0308', '\u{1F50C}', 'x'.repeat(10_000)];
  for (const text of odd) {
    const set = bloomFilterOf([...texts(100, 'y'), text]);
    expect(mightContain(set, text)).toBe(true);
  }
});

it('encodes texts in the stored format', () => {
  expect(Buffer.from(bloomFilterOf(['A', 'B', 'C', 'Ladesäule'])).toString('hex')).toBe('55751814');
});
