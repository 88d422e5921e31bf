import type { Document, Update } from '../port';
import { misuse } from './check';
import { compareTexts } from './matches';
import { isObject, setOwn, valueAt } from './paths';
import type { JsonObject } from './paths';

/**
 * Returns the document after the update. The given document stays unchanged: touched parts are copied, the rest is
 * shared, as are the update's values. Throws AppError `internal` where the update does not fit the document (adding to
 * a text, a path through a scalar), as MongoDB refuses it.
 */
export function applyUpdate<T extends Document>(document: T, update: Update): T {
  const draft = createDraft(document);
  const { set, unset, inc, max } = update;
  // `for in` on the parsed objects themselves: this runs for every message.
  for (const path in set) draft.put(path, set[path]);
  for (const path of unset ?? []) draft.remove(path);
  for (const [path, by] of Object.entries(inc ?? {})) draft.change(path, (value) => sum(path, value, by));
  for (const [path, bound] of Object.entries(max ?? {})) draft.change(path, (value) => greater(value, bound));
  return draft.root as unknown as T;
}

/** Copies each object on a touched path once, however many paths lead through it. */
function createDraft(document: Document) {
  const root: JsonObject = { ...document };
  const copies = new Set<JsonObject>([root]);

  const childOf = (parent: JsonObject, key: string, path: string): JsonObject => {
    const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
    if (!isObject(child) && child !== undefined) {
      throw misuse(`"${path}" leads through something that is not an object`);
    }
    if (child !== undefined && copies.has(child)) return child;
    const copy = { ...child };
    setOwn(parent, key, copy);
    copies.add(copy);
    return copy;
  };
  /** The object with the path's last key, created where it is missing. */
  const parentOf = (path: string): JsonObject => {
    let parent = root;
    let from = 0;
    for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', from)) {
      parent = childOf(parent, path.slice(from, dot), path);
      from = dot + 1;
    }
    return parent;
  };

  return {
    root,
    put(path: string, value: unknown) {
      if (value !== undefined) setOwn(parentOf(path), lastKey(path), value);
    },
    remove(path: string) {
      const holder = valueAt(root, path.split('.').slice(0, -1));
      // Creates and copies nothing where the path is missing.
      if (isObject(holder) && Object.hasOwn(holder, lastKey(path)))
        Reflect.deleteProperty(parentOf(path), lastKey(path));
    },
    change(path: string, next: (value: unknown) => unknown) {
      const parent = parentOf(path);
      const key = lastKey(path);
      setOwn(parent, key, next(Object.hasOwn(parent, key) ? parent[key] : undefined));
    },
  };
}

function lastKey(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function sum(path: string, value: unknown, by: number): number {
  if (value === undefined) return by;
  if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
  return value + by;
}

/** MongoDB's order of types: null, numbers, texts, anything else. */
function greater(value: unknown, bound: string | number): unknown {
  if (value === undefined || value === null) return bound;
  if (typeof value === 'number') return typeof bound === 'string' ? bound : Math.max(value, bound);
  if (typeof value === 'string') return typeof bound === 'string' && compareTexts(value, bound) < 0 ? bound : value;
  return value;
}
