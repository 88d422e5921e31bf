// The journal of document changes. A heartbeat changes a few fields of a document of some kilobytes, and rewriting it
// costs serialization and a page of the write-ahead log. The journal stores all changes of a transaction as one small
// row instead. The documents' rows become stale until they are flushed; after a kill the next start applies the
// journal. It is part of the data file, so it commits and rolls back with it.
import { applyUpdate } from '../../language/apply-update';
import type { Document, Update } from '../../port';
import { toText } from './column-value';
import type { Database } from './database';
import { quoted } from './filter-sql';

const TABLE = quoted('busbar.journal');

export interface Journal {
  /** A change of a document, as the JSON text of an update; null: the row is current or deleted. */
  note(table: string, row: number, update: string | null): void;
  /** The number of pending entries: a savepoint. */
  mark(): number;
  undoTo(mark: number): void;
  /** The number of the row that `write` will insert. */
  next(): number;
  /** Writes the pending entries into the file, before the commit. */
  write(): void;
  /** After the commit, or after the rollback. */
  commit(): void;
  undo(): void;
  /** Characters in the journal. */
  size(): number;
  /** Deletes the rows before this number. */
  forgetBefore(number: number): void;
}

/** Creates the table where it is missing, and applies what a killed process left in it. */
export function openJournal(database: Database): Journal {
  database.run(`CREATE TABLE IF NOT EXISTS ${TABLE} (number INTEGER PRIMARY KEY, changes NOT NULL)`);
  replay(database);
  let notes: string[] = [];
  let number = 1;
  let written: Kept | undefined;
  let forgotten: readonly Kept[] = [];
  let kept: Kept[] = [];
  let size = 0;
  const sum = (all: readonly Kept[]): number => all.reduce((total, each) => total + each.size, 0);

  return {
    note: (table, row, update) => void notes.push(`["${table}",${String(row)},${update ?? 'null'}]`),
    mark: () => notes.length,
    undoTo(mark) {
      notes.length = mark;
    },
    next: () => number,
    write() {
      if (notes.length === 0) return;
      const changes = `[${notes.join(',')}]`;
      database.run(`INSERT INTO ${TABLE} VALUES (?, CAST(? AS TEXT))`, [number, Buffer.from(changes)]);
      written = { number, size: changes.length };
    },
    commit() {
      if (written) {
        kept.push(written);
        size += written.size;
        number += 1;
      }
      [notes, written, forgotten] = [[], undefined, []];
    },
    undo() {
      kept = [...forgotten, ...kept];
      size += sum(forgotten);
      [notes, written, forgotten] = [[], undefined, []];
    },
    size: () => size,
    forgetBefore(first) {
      const end = kept.findIndex((each) => each.number >= first);
      const gone = end === -1 ? kept : kept.slice(0, end);
      if (gone.length === 0) return;
      database.run(`DELETE FROM ${TABLE} WHERE number < ?`, [first]);
      kept = kept.slice(gone.length);
      size -= sum(gone);
      forgotten = [...forgotten, ...gone];
    },
  };
}

interface Kept {
  readonly number: number;
  readonly size: number;
}

type Note = readonly [table: string, row: number, update: Update | null];

/** Applies the remaining changes to the documents. Columns were written with each change; only the text is stale. */
function replay(database: Database): void {
  const changes = new Map<string, Update[]>();
  const places = new Map<string, readonly [table: string, row: number]>();
  for (const stored of database.all(`SELECT changes FROM ${TABLE} ORDER BY number`)) {
    for (const [table, row, update] of JSON.parse(String(stored['changes'])) as Note[]) {
      const key = `${String(row)} ${table}`;
      places.set(key, [table, row]);
      if (update === null) changes.delete(key);
      else changes.set(key, [...(changes.get(key) ?? []), update]);
    }
  }
  for (const [key, updates] of changes) {
    const [table, row] = places.get(key) ?? ['', 0];
    const name = quoted(table);
    const [found] = database.all(`SELECT doc FROM ${name} WHERE _row = ?`, [row]);
    if (!found) continue;
    const before = JSON.parse(String(found['doc'])) as Document;
    const after = updates.reduce((document, update) => applyUpdate(document, update), before);
    database.run(`UPDATE ${name} SET doc = CAST(? AS TEXT) WHERE _row = ?`, [Buffer.from(toText(after)), row]);
  }
  database.run(`DELETE FROM ${TABLE}`);
}
