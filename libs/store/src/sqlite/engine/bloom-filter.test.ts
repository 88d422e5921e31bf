import { keyOf, bloomFilterOf, mightContain as mayHoldKey, type BloomFilter } from './bloom-filter';

const mightContain = (set: BloomFilter, text: string): boolean => mayHoldKey(set, keyOf(text));

const texts = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(8, '0')}`);

it.each([1, 7, 300, 16_384])('a set of %i texts holds all of them, in a byte each', (count) => {
  const set = bloomFilterOf(texts(count, '01ARZ3'));
  expect(set).toHaveLength(count);
  expect(texts(count, '01ARZ3').filter((text) => !mightContain(set, text))).toEqual([]);
});

it('takes few of the others for one of its own, however alike', () => {
  const set = bloomFilterOf(texts(16_384, 'charger-'));
  const strangers = [...texts(26_384, 'charger-').slice(16_384), ...texts(10_000, 'Charger-')];
  expect(strangers.filter((text) => mightContain(set, text)).length).toBeLessThan(strangers.length * 0.03);
});

it('holds nothing when it is empty, and tells any text from another', () => {
  expect(texts(1_000, '').filter((text) => mightContain(bloomFilterOf([]), text))).toEqual([]);
  const odd = ['', ' ', '\u0001', 'ä', 'a\u0308', '\u{1F50C}', 'x'.repeat(10_000)];
  for (const text of odd) {
    const set = bloomFilterOf([...texts(100, 'y'), text]);
    expect(mightContain(set, text)).toBe(true);
  }
});

it('has the form in which it is stored', () => {
  expect(Buffer.from(bloomFilterOf(['A', 'B', 'C', 'Ladesäule'])).toString('hex')).toBe('55751814');
});
