import fc from 'fast-check';
import { hasSequence, missingSequences, withSequence, type SequenceRange } from './sequence-ranges';

const ranges = (numbers: readonly number[]): readonly SequenceRange[] =>
  numbers.reduce<readonly SequenceRange[]>(withSequence, []);

// The source is TC_E_53 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
it('142. joins neighbours, whatever their order', () => {
  expect(ranges([5, 3, 4, 9])).toEqual([
    [3, 5],
    [9, 9],
  ]);
});

it('142. has each number that was added and misses those between', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60), { minLength: 1 }), (numbers) => {
      const found = ranges(numbers);
      const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
      const between = Array.from({ length: last - first + 1 }, (_, n) => first + n);
      expect(between.filter((seqNo) => hasSequence(found, seqNo))).toEqual(between.filter((n) => numbers.includes(n)));
      expect(missingSequences(found)).toEqual(between.filter((n) => !numbers.includes(n)));
    }),
  );
});

it('142. stores at most 200 ranges of a charger that counts at random', () => {
  const found = ranges(Array.from({ length: 500 }, (_, n) => n * 2));
  expect(found).toHaveLength(200);
  expect(found.at(-1)?.[1]).toBe(998);
});
