/** A piece of work whose cost should grow with the length of its input and no faster. */
export type Work = (text: string) => void;

/** Eight times the input is eight times the time where growth is linear, and 64 times where it is quadratic. */
const STEP = 8;
const MAX_GROWTH = 24;
const SMALLEST = 64;
/** A suspicion is measured again so often, until one measurement clears it. Other work on the machine causes suspicions. */
const SECOND_LOOKS = 40;
/** A measurement lasts at least this long, so that the resolution of the clock does not show. */
const BATCH_US = 200;

/**
 * Runs the work on inputs of up to `longest` characters, each eight times as long as the one before. Returns the length
 * at which the time grew far more than eightfold, or undefined. Stops there, so that a defect does not hang the caller.
 */
export function superlinearAt(work: Work, inputOf: (length: number) => string, longest: number): number | undefined {
  let before: { readonly text: string; readonly cost: number } | undefined;
  for (const length of lengthsUpTo(longest)) {
    const text = inputOf(length);
    const cost = costOf(work, text);
    const isSuspect = before !== undefined && cost > before.cost * MAX_GROWTH;
    if (isSuspect && growthOf(work, before?.text ?? '', text) > MAX_GROWTH) return length;
    before = { text, cost };
  }
  return undefined;
}

function lengthsUpTo(longest: number): readonly number[] {
  const lengths: number[] = [];
  for (let length = Math.max(longest, SMALLEST * STEP); length >= SMALLEST; length = Math.floor(length / STEP)) {
    lengths.unshift(length);
  }
  return lengths;
}

/** The growth by the least of several costs of each, measured alternately, and no more of them than clear the suspicion. */
function growthOf(work: Work, shorter: string, longer: string): number {
  let [ofShorter, ofLonger] = [Infinity, Infinity];
  for (let look = 0; look < SECOND_LOOKS; look += 1) {
    ofShorter = Math.min(ofShorter, costOf(work, shorter));
    ofLonger = Math.min(ofLonger, costOf(work, longer));
    if (ofLonger / ofShorter <= MAX_GROWTH) break;
  }
  return ofLonger / ofShorter;
}

/** Microseconds of one run. A first run compiles and is not counted. */
function costOf(work: Work, text: string): number {
  work(text);
  let runs = 1;
  for (;;) {
    const spent = timeOf(work, text, runs);
    if (spent >= BATCH_US) return spent / runs;
    runs *= spent * 4 < BATCH_US ? 8 : 2;
  }
}

/** Time of the processor, not of the clock: the machine has other work to do. */
function timeOf(work: Work, text: string, runs: number): number {
  const begin = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) work(text);
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}
