import type { FuzzOutcome } from './fuzz';

const MEBIBYTE = 1_048_576;
/** Node keeps what it once needed, so memory first climbs to where it stays. */
const MAX_GROWTH = { factor: 1.1, bytes: 32 * MEBIBYTE };
const MAX_MEMORY = 1_024 * MEBIBYTE;

/** Checks the gateway after a run, and returns a line about it. */
export function judgeFuzz(outcome: FuzzOutcome, isLong: boolean): string {
  const {
    most,
    medians: [first, second],
  } = outcome.memory;
  expect(outcome.errors).toEqual([]);
  expect(outcome.answered).toBeGreaterThan(0);
  expect(most).toBeLessThan(MAX_MEMORY);
  if (isLong) expect(second).toBeLessThan(first * MAX_GROWTH.factor + MAX_GROWTH.bytes);
  const [a, b, c] = [first, second, most].map((bytes) => String(Math.round(bytes / MEBIBYTE)));
  return `${String(outcome.attacks)} attacks; a well-behaved charger had at least ${String(outcome.answered)} answers; memory ${a ?? ''} MiB, then ${b ?? ''} MiB, ${c ?? ''} MiB at most`;
}

/** The seed that the run was given, or a fresh one. */
export function seedOfFuzz(): number {
  const given = Number(process.env['FUZZ_SEED'] ?? Number.NaN);
  return Number.isInteger(given) ? given : Math.floor(Math.random() * 1_000_000_000);
}
