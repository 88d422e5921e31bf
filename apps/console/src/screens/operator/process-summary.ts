// What the lists of the deployment come to. Pure.
import type { Schemas } from '../../api/client';

type Processes = Schemas['Processes'];

/** Partitions that no replica owns, whose messages wait. */
export function unownedPartitions({ partitions, chargerState }: Processes): readonly number[] {
  const owned = new Set(chargerState.flatMap((replica) => replica.partitions));
  return partitions.map(({ partition }) => partition).filter((partition) => !owned.has(partition));
}

/** Messages that wait for a replica. Undefined: the broker names no depth of one of its partitions. */
export function waitingFor(
  { partitions: owned }: Processes['chargerState'][number],
  { partitions }: Processes,
): number | undefined {
  const depths = partitions.filter(({ partition }) => owned.includes(partition)).map(({ depth }) => depth);
  return depths.reduce<number | undefined>(
    (sum, depth) => (sum === undefined || depth === null ? undefined : sum + depth),
    0,
  );
}

/** Numbers as ranges, such as `0–3, 7`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${String(from)}–${String(to)}`)).join(', ');
}

export interface ServiceRow {
  readonly service: string;
  readonly program: string;
  readonly schema: number;
  readonly count: number;
}

/** Processes that are alike as one row. */
export function servicesOf(processes: Processes['processes']): readonly ServiceRow[] {
  const rows = new Map<string, ServiceRow>();
  for (const { service, program, schema } of processes) {
    const key = JSON.stringify([service, program, schema]);
    rows.set(key, { service, program, schema, count: (rows.get(key)?.count ?? 0) + 1 });
  }
  return [...rows.values()].sort((a, b) => a.service.localeCompare(b.service) || a.program.localeCompare(b.program));
}
