/** Documents of one query. */
const MAX_IDS = 1_000;

interface Waiting<T> {
  readonly id: string;
  readonly resolve: (document: T | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads documents by id. Reads of one turn of the event loop share a query: for a busy process, a query costs far more than a
 * document. A query is sent after the calls that it answers, so it shows what was written before them. Callers with the same
 * id share the document.
 */
export function createGatheredGets<T extends { readonly _id: string }>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | undefined> {
  let gathered: Waiting<T>[] = [];

  function send(): void {
    const waiting = gathered;
    gathered = [];
    if (waiting.length > 0) void answer(read, waiting);
  }

  return (id) =>
    new Promise((resolve, reject) => {
      gathered.push({ id, resolve, reject });
      if (gathered.length === 1) setImmediate(send);
      if (gathered.length >= MAX_IDS) send();
    });
}

async function answer<T extends { readonly _id: string }>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
  waiting: readonly Waiting<T>[],
): Promise<void> {
  try {
    const found = await read([...new Set(waiting.map(({ id }) => id))]);
    const byId = new Map(found.map((document) => [document._id, document]));
    for (const { id, resolve } of waiting) resolve(byId.get(id));
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}
