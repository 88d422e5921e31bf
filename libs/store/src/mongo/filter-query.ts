import type { mongo } from 'mongoose';

import { setOwn } from '../language/paths';
import type { Filter, Scalar } from '../port';

export type Query = mongo.Filter<StoredDocument>;

/** As the driver types it: `_id` is ours, the rest is JSON. */
export interface StoredDocument {
  _id: string;
  [key: string]: unknown;
}

type Leaf = Exclude<Filter, { readonly filters: readonly Filter[] }>;

/**
 * The filter as a query. Equality is written plainly and an `and` as one object where its paths differ, since only so the
 * stand-in finds a document by its id; the values are scalars, which are never read as operators. For an upsert only
 * `_id` may be an equality: what a query equates, MongoDB puts into the document that it inserts.
 */
export function filterQuery(filter: Filter, forUpsert = false): Query {
  if ('filters' in filter) {
    // MongoDB refuses both with nothing in them.
    if (filter.filters.length === 0) return filter.op === 'and' ? {} : { _id: { $in: [] } };
    const inner = filter.filters.map((each) => filterQuery(each, forUpsert));
    return filter.op === 'and' ? allOf(inner) : { $or: inner };
  }
  if (filter.op === 'contains') {
    // Two conditions: the stand-in matches a pattern against the text of anything, and reads no `$type` beside it.
    const { path, value } = filter;
    return { $and: [{ [path]: { $type: 'string' } }, { [path]: { $regex: asciiInsensitive(value) } }] };
  }
  const condition = forUpsert && filter.path !== '_id' && filter.op === 'eq' ? notEquated(filter.value) : leaf(filter);
  return { [filter.path]: condition };
}

/** In one object as far as no path or operator comes twice. */
function allOf(queries: readonly Query[]): Query {
  const merged: Record<string, unknown> = {};
  const rest: Query[] = [];
  for (const query of queries) {
    if (Object.keys(query).some((key) => Object.hasOwn(merged, key))) rest.push(query);
    else for (const [key, condition] of Object.entries(query)) setOwn(merged, key, condition);
  }
  return rest.length === 0 ? merged : { $and: [merged, ...rest] };
}

function leaf(filter: Exclude<Leaf, { readonly op: 'contains' }>): unknown {
  switch (filter.op) {
    case 'eq':
      return filter.value;
    case 'exists':
      return filter.value ? { $ne: null } : null;
    case 'in':
      return { $in: [...filter.values] };
    default:
      return { [`$${filter.op}`]: filter.value };
  }
}

function notEquated(value: Scalar): Record<string, unknown> {
  return value === null ? { $not: { $ne: null } } : { $gte: value, $lte: value };
}

/** A pattern that disregards the case of A to Z alone: the option `i` would disregard that of É too. */
function asciiInsensitive(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/#-]/g, '\\$&')
    .replace(/(?<!\\)[a-zA-Z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
