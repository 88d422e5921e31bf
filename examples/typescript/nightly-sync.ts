// Keeps an exact copy of chargers and sessions in a file: each run reads only what changed.
//   API_KEY=… npx tsx nightly-sync.ts copy.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { api, dataOf } from './client';

interface Page<T> {
  items: T[];
  nextCursor: string | null;
  nextUpdatedSince: string | null;
}

interface Copied {
  since: string;
  records: Record<string, unknown>;
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('name the file of the copy');
const copy: Record<string, Copied> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};

async function sync<T>(
  name: string,
  read: (query: { updatedSince: string; after?: string }) => Promise<Page<T>>,
  idOf: (record: T) => string,
): Promise<void> {
  const { since, records } = (copy[name] ??= { since: '1970-01-01T00:00:00Z', records: {} });
  let changed = 0;
  let page = await read({ updatedSince: since });
  for (;;) {
    // A repeated record replaces the earlier one.
    for (const record of page.items) records[idOf(record)] = record;
    changed += page.items.length;
    if (page.nextCursor === null) break;
    page = await read({ updatedSince: since, after: page.nextCursor });
  }
  copy[name] = { since: page.nextUpdatedSince ?? since, records };
  console.log(`${name}: ${String(changed)} changed`);
}

await sync(
  'chargers',
  (query) => dataOf(api.GET('/v2/chargers', { params: { query } })),
  ({ chargerId }) => chargerId,
);
await sync(
  'sessions',
  (query) => dataOf(api.GET('/v2/sessions', { params: { query } })),
  ({ transactionId }) => String(transactionId),
);

// Records and place together, so that a run that fails is repeated from the same place.
writeFileSync(`${path}.new`, JSON.stringify(copy));
renameSync(`${path}.new`, path);
