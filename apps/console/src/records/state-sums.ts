// Counts of sockets by state. Pure.
import { STATES, type State } from '../parts/states';

export type StateCounts = Readonly<Partial<Record<State, number>>>;

/** States that have a socket, in the order of figures, with the sums over the sites. */
export function sumOf(counts: readonly (StateCounts | undefined)[]): readonly (readonly [State, number])[] {
  return STATES.flatMap((state) => {
    const sum = counts.reduce((total, each) => total + (each?.[state] ?? 0), 0);
    return sum === 0 ? [] : [[state, sum] as const];
  });
}
