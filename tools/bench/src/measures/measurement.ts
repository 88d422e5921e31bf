/** The result of one round of one cell. */
export interface Measurement {
  /** The figure itself, such as `15,400/s`. */
  readonly headline: string;
  /** Response times and memory beside it. */
  readonly beside: readonly string[];
  /** The text that the goal is compared with, without the goal. */
  readonly shown: string;
  readonly isMet: boolean;
  /** False: something was refused or left behind, so that the figure is none; `remarks` say what. */
  readonly counts: boolean;
  /** The greater of two is the better round. */
  readonly merit: number;
  readonly remarks: readonly string[];
  /** The baseline of the figure: readings right before and after it. */
  readonly baseline?: BaselineReadings;
  /** All that was read, for the file. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface BaselineReadings {
  /** `B1`, `B2` or `bare express`. */
  readonly name: string;
  readonly perSecond: readonly number[];
}

/** The round that a cell shows: one that counts before one that does not, one that meets the goal, then by merit. */
export function bestOf(rounds: readonly Measurement[]): Measurement | undefined {
  return [...rounds].sort(
    (a, b) => Number(b.counts) - Number(a.counts) || Number(b.isMet) - Number(a.isMet) || b.merit - a.merit,
  )[0];
}

/** The middle one by merit, of those that count where any does; of an even number the worse of the two. */
export function medianOf(rounds: readonly Measurement[]): Measurement | undefined {
  const counting = rounds.filter(({ counts }) => counts);
  const sorted = [...(counting.length > 0 ? counting : rounds)].sort((a, b) => a.merit - b.merit);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** `part` of `whole`; 0 where there is nothing to compare with. */
export function ratioOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** With a thousands separator and no fraction, or with two significant digits below ten. */
export function figure(value: number): string {
  if (Math.abs(value) >= 10) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(2)));
}

export function meanOf(values: readonly number[]): number {
  return ratioOf(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
}

/** Bytes in megabytes. */
export function megabytes(bytes: number): string {
  return `${figure(bytes / 2 ** 20)} MB`;
}
