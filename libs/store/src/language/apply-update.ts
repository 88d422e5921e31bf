import type { Document, Json, Update } from '../port';
import { misuse } from './check';
import { compareTexts } from './matches';
import { frozenCopy, isObject, setOwn, splitPath } from './paths';
import type { JsonObject } from './paths';

/**
 * The document after the update. The given one is not changed: what the update touches is copied, the rest is shared,
 * and the new parts are frozen. Throws AppError `internal` where the update does not fit the document (a number added to
 * a text, a path through a scalar), as MongoDB refuses it.
 */
export function applyUpdate<T extends Document>(document: T, update: Update): T {
  const draft = createDraft(document);
  for (const [path, value] of Object.entries(update.set ?? {})) draft.put(path, frozenCopy(value));
  for (const path of update.unset ?? []) draft.remove(path);
  for (const [path, by] of Object.entries(update.inc ?? {})) draft.change(path, (value) => sum(path, value, by));
  for (const [path, bound] of Object.entries(update.max ?? {})) draft.change(path, (value) => greater(value, bound));
  for (const [path, { items, cap }] of Object.entries(update.push ?? {})) {
    draft.change(path, (value) => appended(path, value, items, cap));
  }
  return draft.finish() as T;
}

/** The document that an upsert inserts: the id and what the update says, nothing of the filter. */
export function upsertedDocument(id: string, update: Update): Document {
  return applyUpdate(Object.freeze({ _id: id }), { ...update, set: { ...update.setOnInsert, ...update.set } });
}

interface Draft {
  put(path: string, value: unknown): void;
  remove(path: string): void;
  change(path: string, next: (value: unknown) => unknown): void;
  finish(): JsonObject;
}

/** Copies each object on a touched path once, however many paths lead through it. */
function createDraft(document: Document): Draft {
  const root: JsonObject = { ...document };
  const copies = new Set<JsonObject>([root]);

  const own = (parent: JsonObject, key: string, copy: JsonObject): JsonObject => {
    setOwn(parent, key, copy);
    copies.add(copy);
    return copy;
  };
  const parentOf = (path: string, make: boolean): { parent: JsonObject; key: string } | undefined => {
    const segments = splitPath(path);
    let parent = root;
    for (const segment of segments.slice(0, -1)) {
      const child = Object.hasOwn(parent, segment) ? parent[segment] : undefined;
      if (isObject(child)) parent = copies.has(child) ? child : own(parent, segment, { ...child });
      else if (!make) return undefined;
      else if (child === undefined) parent = own(parent, segment, {});
      else throw misuse(`"${path}" leads through something that is not an object`);
    }
    return { parent, key: segments.at(-1) ?? '' };
  };

  return {
    put(path, value) {
      const place = parentOf(path, true);
      if (place && value !== undefined) setOwn(place.parent, place.key, value);
    },
    remove(path) {
      const place = parentOf(path, false);
      if (place) Reflect.deleteProperty(place.parent, place.key);
    },
    change(path, next) {
      const place = parentOf(path, true);
      if (!place) return;
      const { parent, key } = place;
      setOwn(parent, key, next(Object.hasOwn(parent, key) ? parent[key] : undefined));
    },
    finish() {
      for (const copy of copies) Object.freeze(copy);
      return root;
    },
  };
}

function sum(path: string, value: unknown, by: number): number {
  if (value === undefined) return by;
  if (typeof value !== 'number') throw misuse(`"${path}" is not a number`);
  return value + by;
}

/** Numbers are less than texts, null is less than both, and anything else is greater: MongoDB's order of types. */
function greater(value: unknown, bound: string | number): unknown {
  if (value === undefined || value === null) return bound;
  if (typeof value === 'number') return typeof bound === 'string' ? bound : Math.max(value, bound);
  if (typeof value === 'string') return typeof bound === 'string' && compareTexts(value, bound) < 0 ? bound : value;
  return value;
}

function appended(path: string, value: unknown, items: readonly Json[], cap: number): readonly unknown[] {
  if (value !== undefined && !Array.isArray(value)) throw misuse(`"${path}" is not an array`);
  const all: unknown[] = [...((value as readonly unknown[] | undefined) ?? []), ...items.map(frozenCopy)];
  return Object.freeze(all.slice(Math.max(0, all.length - cap)));
}
