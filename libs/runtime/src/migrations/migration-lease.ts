// The lease of the one process that migrates the store: a counter in the store that its holder increments, by
// compare-and-set. Clocks are not compared: a process takes over when the counter did not change for a lease by its own clock.
import type { Clock, Timer } from '@busbar/core';
import { and, eq, type Collection, type Update } from '@busbar/store';
import { SCHEMA_ID, type StoreSchema } from './store-schema';

export interface MigrationLeaseDeps {
  readonly schemas: Collection<StoreSchema>;
  readonly clock: Clock;
  /** Identifies this process among those that start. */
  readonly owner: string;
  readonly leaseMs: number;
  /** The store belongs to this process alone, so the lease of another is stale. */
  readonly isExclusive: boolean;
}

/** Fields of the schema document. */
export type SchemaFields = Partial<Pick<StoreSchema, 'readableBy'>>;

export interface MigrationLease {
  /**
   * True when this process holds the lease for the schema's version. Called until it does. The fields of `begin` are set
   * together with the lease.
   */
  acquire(schema: StoreSchema, begin?: SchemaFields): Promise<boolean>;
  /** False when another process took over. */
  isHeld(): boolean;
  /** Ends the work with this update of the schema document, if the lease is still held. */
  finish(update: Pick<Update, 'set' | 'inc'>): Promise<void>;
  /** Stops renewing, without a new version. */
  release(): void;
}

export function createMigrationLease({
  schemas,
  clock,
  owner,
  leaseMs,
  isExclusive,
}: MigrationLeaseDeps): MigrationLease {
  let seen = { owner: '', beat: -1, atMs: 0 };
  let held = false;
  let heldVersion = 0;
  let timer: Timer | undefined;

  const own = eq('migration.owner', owner);
  const renew = async (): Promise<void> => {
    // An unavailable store keeps others from taking over, too.
    const matched = await schemas
      .update(and(eq('_id', SCHEMA_ID), own), { inc: { 'migration.beat': 1 } })
      .catch(() => 1);
    if (matched === 0) held = false;
  };
  const release = (): void => {
    timer?.cancel();
    timer = undefined;
    held = false;
  };
  /** Not held, or not renewed for a whole lease. */
  const isFree = ({ migration }: StoreSchema): boolean => {
    if (migration === undefined || isExclusive) return true;
    const now = clock.monotonicMs();
    if (migration.owner !== seen.owner || migration.beat !== seen.beat) seen = { ...migration, atMs: now };
    return now - seen.atMs >= leaseMs;
  };

  return {
    async acquire(schema, begin = {}) {
      if (!isFree(schema)) return false;
      const { version, migration } = schema;
      const unchanged =
        migration === undefined
          ? eq('migration.owner', null)
          : and(eq('migration.owner', migration.owner), eq('migration.beat', migration.beat));
      const matched = await schemas.update(and(eq('_id', SCHEMA_ID), eq('version', version), unchanged), {
        set: { ...begin, migration: { owner, beat: (migration?.beat ?? 0) + 1 } },
      });
      if (matched === 0) return false;
      held = true;
      heldVersion = version;
      timer = clock.every(leaseMs / 3, () => void renew());
      return true;
    },
    isHeld: () => held,
    async finish(update) {
      release();
      const before = and(eq('_id', SCHEMA_ID), eq('version', heldVersion), own);
      await schemas.update(before, { ...update, unset: ['migration'] });
    },
    release,
  };
}
