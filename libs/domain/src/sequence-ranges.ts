// The sequence numbers of a transaction's events that have come, as ascending ranges that do not touch: a transaction has
// thousands of events, and few gaps.

/** First and last number, both included. */
export type SequenceRange = readonly [first: number, last: number];

/** A charger that counts at random fills no more. What it sends beyond counts as not missing. */
const MAX_RANGES = 200;
/** Missing numbers that a session names. */
export const MAX_MISSING = 100;

/** Adds a number. The same list where it is there already. */
export function withSequence(ranges: readonly SequenceRange[], seqNo: number): readonly SequenceRange[] {
  if (hasSequence(ranges, seqNo)) return ranges;
  const before = ranges.filter(([, last]) => last < seqNo - 1);
  const after = ranges.filter(([first]) => first > seqNo + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const first = Math.min(seqNo, touching[0]?.[0] ?? seqNo);
  const last = Math.max(seqNo, touching.at(-1)?.[1] ?? seqNo);
  return limited([...before, [first, last], ...after]);
}

export function hasSequence(ranges: readonly SequenceRange[], seqNo: number): boolean {
  return ranges.some(([first, last]) => first <= seqNo && seqNo <= last);
}

/** The numbers between the lowest and the highest that have not come; at most `MAX_MISSING`, the lowest ones (rule 142). */
export function missingSequences(ranges: readonly SequenceRange[]): readonly number[] {
  const missing: number[] = [];
  for (const [index, [, last]] of ranges.entries()) {
    const next = ranges[index + 1];
    if (next === undefined) break;
    for (let seqNo = last + 1; seqNo < next[0]; seqNo += 1) {
      if (missing.push(seqNo) >= MAX_MISSING) return missing;
    }
  }
  return missing;
}

/** Joins the two highest ranges where there are too many. */
function limited(ranges: readonly SequenceRange[]): readonly SequenceRange[] {
  const [joined, highest] = ranges.slice(-2);
  if (ranges.length <= MAX_RANGES || joined === undefined || highest === undefined) return ranges;
  return [...ranges.slice(0, -2), [joined[0], highest[1]]];
}
