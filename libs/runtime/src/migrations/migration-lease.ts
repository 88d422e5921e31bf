// Who brings the store to its next version: one process at a time, by compare-and-set on a count in the store that it moves
// on while it lives. Nobody's clock is compared with another's: a count that stands still for a whole lease, by the looker's
// own clock, is nobody's any more.
import type { Clock, Timer } from '@busbar/core';
import { and, eq, exists, type Collection } from '@busbar/store';
import { SCHEMA_ID, type StoreSchema } from '../store-schema';

export interface MigrationLeaseDeps {
  readonly schemas: Collection<StoreSchema>;
  readonly clock: Clock;
  /** This process, among those that start. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Nobody else can be at it: a store that one process has to itself. */
  readonly alone: boolean;
}

export interface MigrationLease {
  /** True when this process has it for the version that the schema shows. Called again and again until it has. */
  take(schema: StoreSchema): Promise<boolean>;
  /** False when another process has taken it: it was out of reach for a whole lease. */
  held(): boolean;
  /** The version is done: written if it is still this process's to write. */
  finish(version: number): Promise<void>;
  /** Without having done it. */
  letGo(): void;
}

export function createMigrationLease({ schemas, clock, owner, leaseMs, alone }: MigrationLeaseDeps): MigrationLease {
  let seen = { owner: '', beat: -1, atMs: 0 };
  let held = false;
  let timer: Timer | undefined;

  const own = eq('migration.owner', owner);
  const beat = async (): Promise<void> => {
    // A store that is away keeps others from taking it, too.
    const matched = await schemas
      .update(and(eq('_id', SCHEMA_ID), own), { inc: { 'migration.beat': 1 } })
      .catch(() => 1);
    if (matched === 0) held = false;
  };
  const letGo = (): void => {
    timer?.cancel();
    timer = undefined;
    held = false;
  };
  /** Nobody's, or of somebody who has not moved it on for a whole lease. */
  const isFree = ({ migration }: StoreSchema): boolean => {
    if (migration === undefined || alone) return true;
    const now = clock.monotonicMs();
    if (migration.owner !== seen.owner || migration.beat !== seen.beat) seen = { ...migration, atMs: now };
    return now - seen.atMs >= leaseMs;
  };

  return {
    async take(schema) {
      if (!isFree(schema)) return false;
      const { version, migration } = schema;
      const unchanged =
        migration === undefined
          ? exists('migration.owner', false)
          : and(eq('migration.owner', migration.owner), eq('migration.beat', migration.beat));
      const matched = await schemas.update(and(eq('_id', SCHEMA_ID), eq('version', version), unchanged), {
        set: { migration: { owner, beat: (migration?.beat ?? 0) + 1 } },
      });
      if (matched === 0) return false;
      held = true;
      timer = clock.every(leaseMs / 3, () => void beat());
      return true;
    },
    held: () => held,
    async finish(version) {
      letGo();
      const before = and(eq('_id', SCHEMA_ID), eq('version', version - 1), own);
      await schemas.update(before, { set: { version }, unset: ['migration'] });
    },
    letGo,
  };
}
