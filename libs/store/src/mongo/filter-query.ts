import type { mongo } from 'mongoose';

import type { Filter, Scalar } from '../port';

export type Query = mongo.Filter<StoredDocument>;

/** As the driver types it: `_id` is ours, the rest is JSON. */
export interface StoredDocument {
  _id: string;
  [key: string]: unknown;
}

type Leaf = Exclude<Filter, { readonly filters: readonly Filter[] }>;

/**
 * The filter as a query. Values stand behind an operator everywhere, so that none is ever read as one. For an upsert
 * only `_id` may be an equality: what a query equates, MongoDB puts into the document that it inserts.
 */
export function filterQuery(filter: Filter, forUpsert = false): Query {
  if ('filters' in filter) {
    // MongoDB refuses both with nothing in them.
    if (filter.filters.length === 0) return filter.op === 'and' ? {} : { _id: { $in: [] } };
    const inner = filter.filters.map((each) => filterQuery(each, forUpsert));
    return filter.op === 'and' ? { $and: inner } : { $or: inner };
  }
  if (filter.op === 'contains') {
    // Two conditions: the stand-in matches a pattern against the text of anything, and reads no `$type` beside it.
    const { path, value } = filter;
    return { $and: [{ [path]: { $type: 'string' } }, { [path]: { $regex: asciiInsensitive(value) } }] };
  }
  const condition = forUpsert && filter.path !== '_id' && filter.op === 'eq' ? notEquated(filter.value) : leaf(filter);
  return { [filter.path]: condition };
}

function leaf(filter: Exclude<Leaf, { readonly op: 'contains' }>): Record<string, unknown> {
  switch (filter.op) {
    case 'exists':
      return filter.value ? { $ne: null } : { $eq: null };
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
