// The suites of the store's contract share this harness.
import { createId } from '@busbar/core';

import type { Collection, CollectionDefinition, Document, Json, Store } from './port';

export interface Item extends Document {
  readonly [path: string]: Json | undefined;
}

export interface StoreHarness {
  /** Creates a store that is not started, on the same data at every call. */
  create(): Store;
}

/** Defines a new collection for each caller, so that tests are isolated. */
export function itemsDefinition(layout: 'documents' | 'wide' | 'log' = 'documents'): CollectionDefinition<Item> {
  return {
    name: `items_${createId().toLowerCase()}`,
    indexes: [
      { name: 'bySerial', paths: [['serial', 1]], unique: true },
      {
        name: 'byPlace',
        paths: [
          ['place.city', 1],
          ['rank', -1],
        ],
      },
    ],
    layout,
    // A text and a number beside an index, a path beside an indexed one, and one whose parents may be missing.
    ...(layout === 'wide' ? { live: ['name', 'rank', 'place.zip', 'deep.er.path'] } : {}),
  };
}

export async function openItems(
  harness: StoreHarness,
  definition: CollectionDefinition<Item> = itemsDefinition(),
): Promise<{ store: Store; items: Collection<Item> }> {
  const store = harness.create();
  const items = store.collection(definition);
  await store.start();
  return { store, items };
}
