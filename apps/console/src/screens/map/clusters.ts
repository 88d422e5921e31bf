// Which marks of the map become one, so that none covers another. Pure.

export interface Point<T> {
  /** Pixels at the zoom of the map. */
  readonly x: number;
  readonly y: number;
  readonly item: T;
}

export interface Cluster<T> {
  /** The middle of its points. */
  readonly x: number;
  readonly y: number;
  readonly items: readonly [T, ...T[]];
}

interface Gathered<T> {
  readonly points: [Point<T>, ...Point<T>[]];
}

/**
 * Gathers points that are nearer than `radius` to the first one of a cluster; each belongs to the nearest. It depends on the order of
 * points and on their distances, not on the part of the map in sight: moving the map changes no cluster. Time is linear.
 */
export function clustersOf<T>(points: readonly Point<T>[], radius: number): Cluster<T>[] {
  const gathered: Gathered<T>[] = [];
  const cells = new Map<string, Gathered<T>[]>();
  const cellOf = (x: number, y: number) => `${String(Math.floor(x / radius))}:${String(Math.floor(y / radius))}`;
  for (const point of points) {
    const nearest = nearestOf(point, neighbours(point, radius, cells, cellOf), radius);
    if (nearest !== undefined) {
      nearest.points.push(point);
      continue;
    }
    const cluster: Gathered<T> = { points: [point] };
    gathered.push(cluster);
    const cell = cellOf(point.x, point.y);
    cells.set(cell, [...(cells.get(cell) ?? []), cluster]);
  }
  return gathered.map(({ points: [first, ...others] }) => {
    const all = [first, ...others];
    return {
      x: all.reduce((sum, { x }) => sum + x, 0) / all.length,
      y: all.reduce((sum, { y }) => sum + y, 0) / all.length,
      items: [first.item, ...others.map(({ item }) => item)],
    };
  });
}

/** Clusters whose first point is in the cell of the point or beside it. */
function neighbours<T>(
  { x, y }: Point<T>,
  radius: number,
  cells: ReadonlyMap<string, readonly Gathered<T>[]>,
  cellOf: (x: number, y: number) => string,
): readonly Gathered<T>[] {
  const steps = [-radius, 0, radius];
  return steps.flatMap((right) => steps.flatMap((down) => cells.get(cellOf(x + right, y + down)) ?? []));
}

function nearestOf<T>(point: Point<T>, clusters: readonly Gathered<T>[], radius: number): Gathered<T> | undefined {
  let nearest: Gathered<T> | undefined;
  let least = radius;
  for (const cluster of clusters) {
    const [first] = cluster.points;
    const distance = Math.hypot(first.x - point.x, first.y - point.y);
    if (distance >= least) continue;
    least = distance;
    nearest = cluster;
  }
  return nearest;
}
