import type { mongo } from 'mongoose';

import type { Update } from '../port';
import type { StoredDocument } from './filter-query';

/** The update in MongoDB's operators; undefined for an empty one, which the driver rejects. */
export function updateDocument(update: Update): mongo.UpdateFilter<StoredDocument> | undefined {
  const operators: Record<string, unknown> = {};
  const add = (operator: string, fields: Readonly<Record<string, unknown>> | undefined): void => {
    if (fields && Object.keys(fields).length > 0) operators[operator] = fields;
  };
  add('$set', update.set);
  add('$unset', update.unset && Object.fromEntries(update.unset.map((path) => [path, '' as const])));
  add('$inc', update.inc);
  add('$max', update.max);
  return Object.keys(operators).length === 0 ? undefined : operators;
}
