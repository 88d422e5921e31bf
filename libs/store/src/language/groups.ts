import type { Group } from '../port';

/** Adds up groups of equal values: a value that is no scalar was read as null, and so counts as absent. */
export function mergedGroups(found: readonly Group[]): Group[] {
  const groups = new Map<string, Group>();
  for (const group of found) {
    const key = JSON.stringify(group.values);
    const { count, sum } = groups.get(key) ?? { count: 0, sum: 0 };
    groups.set(key, { ...group, count: count + group.count, sum: sum + group.sum });
  }
  return [...groups.values()];
}
