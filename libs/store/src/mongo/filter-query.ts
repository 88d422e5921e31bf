import type { mongo } from 'mongoose';

import { setOwn } from '../language/paths';
import type { Filter, Leaf } from '../port';

export type Query = mongo.Filter<StoredDocument>;

/** The driver's type of a query: `_id` is ours, the rest is JSON. */
export interface StoredDocument {
  _id: string;
  [key: string]: unknown;
}

/**
 * Converts a filter to a query. Equalities are written plainly and an `and` as one object where its paths differ:
 * otherwise the stand-in does not find a document by its id. Values are scalars, which are never operators.
 */
export function filterQuery(filter: Filter): Query {
  if ('filters' in filter) {
    // MongoDB rejects both without alternatives.
    if (filter.filters.length === 0) return filter.op === 'and' ? {} : { _id: { $in: [] } };
    const inner = filter.filters.map(filterQuery);
    return filter.op === 'and' ? allOf(inner) : { $or: inner };
  }
  if (filter.op === 'contains') {
    // Two conditions: the stand-in matches a pattern against the text of any value, and ignores a `$type` beside it.
    const { path, value } = filter;
    return { $and: [{ [path]: { $type: 'string' } }, { [path]: { $regex: asciiInsensitive(value) } }] };
  }
  return { [filter.path]: leaf(filter) };
}

/** In one object as far as no path or operator repeats. */
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
    case 'in':
      return { $in: [...filter.values] };
    default:
      return { [`$${filter.op}`]: filter.value };
  }
}

/** Ignores the case of A to Z alone: the option `i` would ignore that of É too. */
function asciiInsensitive(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/#-]/g, '\\$&')
    .replace(/(?<!\\)[a-zA-Z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
