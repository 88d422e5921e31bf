// Reported states and connections as bands of time. Pure.

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly state: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Changes that are read at most: more bands than a screen has points. */
export const MAX_BANDS = 1_000;

/** From each change to the next; equal neighbours are one band. What was before the first change is not known. */
export function bandsOfStates(
  changes: readonly { readonly at: string; readonly state: string }[],
  range: Range,
): readonly Band[] {
  const ordered = changes
    .map(({ at, state }) => ({ at: Date.parse(at), state }))
    .filter(({ at }) => at < range.to)
    .sort((one, other) => one.at - other.at)
    .map(({ at, state }) => ({ at: Math.max(range.from, at), state }));
  const bands: Band[] = [];
  for (const [n, { at, state }] of ordered.entries()) {
    const to = ordered[n + 1]?.at ?? range.to;
    const last = bands.at(-1);
    if (last?.state === state && last.to === at) bands[bands.length - 1] = { ...last, to };
    else if (to > at) bands.push({ from: at, to, state });
  }
  return bands;
}

/** Of a socket: where nothing is known to have changed, it was all the time as it is now. */
export function bandsOfSocket(
  changes: readonly { readonly at: string; readonly state: string }[],
  now: string | undefined,
  range: Range,
): readonly Band[] {
  return changes.length === 0 && now !== undefined ? [{ ...range, state: now }] : bandsOfStates(changes, range);
}

/** Connected, and not connected in between; the beginning is not known before the first connection. */
export function bandsOfConnections(
  connections: readonly { readonly connectedAt: string; readonly disconnectedAt: string | null }[],
  range: Range,
): readonly Band[] {
  const changes = connections.flatMap(({ connectedAt, disconnectedAt }) => [
    { at: connectedAt, state: 'connected' },
    ...(disconnectedAt === null ? [] : [{ at: disconnectedAt, state: 'disconnected' }]),
  ]);
  return bandsOfStates(changes, range);
}
