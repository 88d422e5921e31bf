// A sparse unique index leaves out absent values but includes null. A partial one would leave out both, but the
// stand-in silently creates a full one. So null is not stored at a unique path: filters treat the two alike.
import type { CollectionDefinition, Document, Json, Update } from '../port';
import { isObject, splitPath, valueAt } from '../language/paths';

export interface UniquePaths {
  /** The document, or a copy of it without the nulls. */
  stripDocument<T extends Document>(document: T): T;
  stripUpdate(update: Update): Update;
}

export function uniquePaths<T extends Document>(definition: CollectionDefinition<T>): UniquePaths {
  const paths = definition.indexes.flatMap(({ unique, paths: of }) => (unique === true && of[0] ? [of[0][0]] : []));

  return {
    stripDocument: (document) =>
      paths.reduce((stripped, path) => without(stripped, splitPath(path)) as typeof document, document),
    stripUpdate(update) {
      if (paths.length === 0) return update;
      const unset = new Set(update.unset);
      const strip = (values: Readonly<Record<string, Json>> | undefined, upset?: Set<string>) =>
        values && stripValues(values, paths, upset);
      const set = strip(update.set, unset);
      const setOnInsert = strip(update.setOnInsert);
      return {
        ...update,
        ...(set ? { set } : {}),
        ...(setOnInsert ? { setOnInsert } : {}),
        ...(unset.size > 0 ? { unset: [...unset] } : {}),
      };
    },
  };
}

/** Setting null becomes unsetting; inside an object the null is left out. */
function stripValues(
  values: Readonly<Record<string, Json>>,
  paths: readonly string[],
  unset: Set<string> | undefined,
): Record<string, Json> {
  const stripped: Record<string, Json> = {};
  for (const [at, value] of Object.entries(values)) {
    if (value === null && paths.includes(at)) unset?.add(at);
    else {
      const inside = paths.filter((path) => path.startsWith(`${at}.`)).map((path) => path.slice(at.length + 1));
      stripped[at] = inside.reduce<unknown>((inner, path) => without(inner, splitPath(path)), value) as Json;
    }
  }
  return stripped;
}

function without(value: unknown, segments: readonly string[]): unknown {
  if (valueAt(value, segments) !== null || !isObject(value)) return value;
  const [key = '', ...rest] = segments;
  const copy = { ...value };
  if (rest.length === 0) Reflect.deleteProperty(copy, key);
  else copy[key] = without(copy[key], rest);
  return copy;
}
