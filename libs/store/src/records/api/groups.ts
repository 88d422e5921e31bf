import type { Collection, Document, Filter } from '../../port';

/** The number of documents for each number at a path. */
export async function groupsByNumber<T extends Document>(
  collection: Collection<T>,
  path: string,
  filter: Filter,
): Promise<ReadonlyMap<number, number>> {
  const groups = await collection.countGroups([path], filter);
  return new Map(
    groups.flatMap(({ values: [value], count }) => (typeof value === 'number' ? [[value, count] as const] : [])),
  );
}
