/** A parsed document and its row. Frozen: all readers share it. */
export interface CachedDocument<T> {
  readonly row: number;
  readonly document: T;
  /** Length of its JSON text. */
  readonly size: number;
}

/** A document with a stale row, and the first journal row about it. */
export interface DirtyDocument<T> extends CachedDocument<T> {
  readonly since: number;
}

/** The documents that are newer than their rows, oldest first. Changes can be rolled back. */
export interface DirtyDocuments<T> {
  get(id: string): DirtyDocument<T> | undefined;
  put(id: string, document: DirtyDocument<T>): void;
  delete(id: string): void;
  oldest(max: number): (readonly [id: string, document: DirtyDocument<T>])[];
  size(): number;
  mark(): number;
  undoTo(mark: number): void;
  /** Makes the changes permanent. */
  commit(): void;
}

export function createDirtyDocuments<T>(): DirtyDocuments<T> {
  // A Map retains the place of a key that is set again, so its order is that of `since`.
  let documents = new Map<string, DirtyDocument<T>>();
  const steps: { readonly id: string; readonly before: DirtyDocument<T> | undefined }[] = [];
  return {
    get: (id) => documents.get(id),
    put(id, document) {
      steps.push({ id, before: documents.get(id) });
      documents.set(id, document);
    },
    delete(id) {
      steps.push({ id, before: documents.get(id) });
      documents.delete(id);
    },
    oldest(max) {
      const found: (readonly [string, DirtyDocument<T>])[] = [];
      for (const entry of documents) {
        if (found.length >= max) break;
        found.push(entry);
      }
      return found;
    },
    size: () => documents.size,
    mark: () => steps.length,
    undoTo(mark) {
      if (steps.length === mark) return;
      for (const { id, before } of steps.splice(mark).reverse()) {
        if (before) documents.set(id, before);
        else documents.delete(id);
      }
      // Restored entries are at the end now.
      documents = new Map([...documents].sort(([, a], [, b]) => a.since - b.since));
    },
    commit() {
      steps.length = 0;
    },
  };
}
