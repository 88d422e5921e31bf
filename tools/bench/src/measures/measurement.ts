/** What one round of one cell came to. */
export interface Measurement {
  /** For the table, without the goal. */
  readonly shown: string;
  readonly isMet: boolean;
  /** False: something was refused or left behind, so that the figure is none; `remarks` say what. */
  readonly counts: boolean;
  /** The greater of two is the better round. */
  readonly merit: number;
  readonly remarks: readonly string[];
  /** All that was read, for the file. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The round that a cell shows: one that counts before one that does not, one that meets the goal, then by merit. */
export function bestOf(rounds: readonly Measurement[]): Measurement | undefined {
  return [...rounds].sort(
    (a, b) => Number(b.counts) - Number(a.counts) || Number(b.isMet) - Number(a.isMet) || b.merit - a.merit,
  )[0];
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
