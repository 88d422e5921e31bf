// The table of migrations, in order. A new migration is one file here and one line.
import type { Migration } from './migration';

const FIRST_VERSION = 1;

export const MIGRATIONS: readonly Migration[] = [];

/** The schema version that this program reads and writes. */
export const SCHEMA_VERSION = schemaVersionOf(MIGRATIONS);

/** The version after the last migration; without any it is 1. */
export function schemaVersionOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? FIRST_VERSION;
}

/** The lowest schema version of a program that can work on a store after all migrations. */
export function readableAfter(migrations: readonly Migration[]): number {
  return migrations.findLast(({ isAdditive }) => !isAdditive)?.version ?? FIRST_VERSION;
}
