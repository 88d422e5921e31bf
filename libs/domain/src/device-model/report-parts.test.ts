import fc from 'fast-check';
import { isReportComplete, NO_PARTS, withPart, type ReportPart } from './report-parts';

const numbered = (count: number): ReportPart[] =>
  Array.from({ length: count }, (_, seqNo) => ({ seqNo, isContinued: seqNo < count - 1 }));
const gather = (parts: readonly ReportPart[]) => parts.reduce(withPart, NO_PARTS);

it('151. is complete with all parts in any order, also repeated, and not before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }).chain((count) => fc.shuffledSubarray(numbered(count), { minLength: count })),
      fc.nat(19),
      (parts, repeated) => {
        const again = parts[repeated % parts.length];
        expect(isReportComplete(gather([...parts, ...(again === undefined ? [] : [again])]))).toBe(true);
        expect(isReportComplete(gather(parts.slice(1)))).toBe(false);
      },
    ),
  );
});

it.each<[string, readonly ReportPart[], boolean]>([
  [
    '151. is complete with the last part of a report without numbers',
    [{ isContinued: true }, { isContinued: false }],
    true,
  ],
  ['151. is not complete while a report without numbers continues', [{ isContinued: true }], false],
  ['151. is not complete without its first part', [{ seqNo: 1, isContinued: false }], false],
  ['151. is not complete before any part', [], false],
])('%s', (_title, parts, expected) => {
  expect(isReportComplete(gather(parts))).toBe(expected);
});

it('151. does not change by a part that has come before', () => {
  const parts = gather(numbered(3));
  for (const part of [...numbered(3), { seqNo: 1, isContinued: true }]) expect(withPart(parts, part)).toBe(parts);
  const ended = gather([{ isContinued: false }]);
  expect(withPart(ended, { isContinued: false })).toBe(ended);
});
