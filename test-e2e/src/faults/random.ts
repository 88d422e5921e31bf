/** Numbers that a seed fixes, so that a sequence that failed can be had again. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** Another source, the same for the same seed and place of the call. */
  fork(): Random;
}

/** Mulberry32: enough for choosing what to break. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    pick(list) {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    chance: (probability) => next() < probability,
    fork: () => createRandom(below(4_294_967_296)),
  };
}

/** The seed that the run was given, or a fresh one. */
export function seedOfRun(): number {
  const given = Number(process.env['FAULTS_SEED'] ?? Number.NaN);
  return Number.isInteger(given) ? given : Math.floor(Math.random() * 1_000_000_000);
}
