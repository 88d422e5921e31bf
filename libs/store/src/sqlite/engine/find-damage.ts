// Checks a data file that no process has open. Reads the whole file, so it belongs in its own thread.
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { firstValue } from './database';
import { quoted } from './filter-sql';
import { LIVE_PREFIX } from './live';

/** `quick` leaves out the comparison of indexes with their tables, and the parsing of documents. */
export type CheckDepth = 'quick' | 'full';

/** The first damage; undefined for a sound file. Writes nothing, not even beside the file. */
export function findDamage(file: string, depth: CheckDepth): string | undefined {
  // Immutable: no lock, no write-ahead log. A copy has neither.
  const location = pathToFileURL(file);
  location.searchParams.set('immutable', '1');
  let sqlite: DatabaseSyncInstance | undefined;
  try {
    sqlite = new DatabaseSync(location, { readOnly: true });
    const check = depth === 'quick' ? 'quick_check' : 'integrity_check';
    const finding = firstValue(sqlite, `PRAGMA ${check}(1)`);
    if (finding !== 'ok') return String(finding);
    return depth === 'quick' ? undefined : findUnreadableDocument(sqlite);
  } catch (error) {
    return types.isNativeError(error) ? error.message : String(error);
  } finally {
    sqlite?.close();
  }
}

/** SQLite checks the structure of pages and not their texts. */
function findUnreadableDocument(sqlite: DatabaseSyncInstance): string | undefined {
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  for (const { name } of tables) {
    const columns = sqlite.prepare('SELECT name FROM pragma_table_info(?)').all(name) as { name: string }[];
    for (const { name: column } of columns) {
      const isLive = column.startsWith(LIVE_PREFIX);
      if (column !== 'doc' && !isLive) continue;
      const value = quoted(column);
      const isText = `typeof(${value}) = 'text' AND json_valid(${value})`;
      const isUnreadable = `NOT (${isText}${isLive ? ` OR ${value} IS NULL` : ''})`;
      const count = firstValue(sqlite, `SELECT count(*) FROM ${quoted(name)} WHERE ${isUnreadable}`);
      if (count !== 0) return `${String(count)} documents of ${name} cannot be parsed`;
    }
  }
  return undefined;
}
