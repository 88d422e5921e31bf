import { and, lt, lte, or, type Collection, type Document, type Filter } from '../port';

/** Deletes all but the newest `max` rows; newer by the time at `path`, then by id. */
export async function trim<T extends Document>(
  rows: Collection<T>,
  filter: Filter,
  path: string,
  max: number,
): Promise<void> {
  const sort = [[path, -1] as const, ['_id', -1] as const];
  const [newestBeyond] = await rows.findValues(filter, [path, '_id'], { sort, skip: max, limit: 1 });
  if (newestBeyond === undefined) return;
  const [at = '', id = ''] = newestBeyond.map(String);
  await rows.delete(and(filter, lte(path, at), or(lt(path, at), lte('_id', id))));
}
