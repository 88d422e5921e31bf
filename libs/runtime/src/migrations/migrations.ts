// The table of migrations, in order. The last one's version is the one that this program reads and writes; without any it is 1.
// A new migration is one file here and one line.
import type { Migration } from './migration';

export const MIGRATIONS: readonly Migration[] = [];

const FIRST_VERSION = 1;
/** The schema version of this program. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? FIRST_VERSION;
