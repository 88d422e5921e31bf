// Settles the store after an upgrade: when no older program has been seen for a minute, one of the newest fills once more
// what the older ones wrote without it.
import type { Broker, Subscription } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import { createId, createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { and, eq, type Store } from '@busbar/store';
import { fill, fillsUpTo } from '../migrations/fill';
import type { Migration } from '../migrations/migration';
import { createMigrationLease } from '../migrations/migration-lease';
import { MIGRATIONS, schemaVersionOf } from '../migrations/migrations';
import { isSettled, SCHEMA_ID, settingsCollection, type StoreSchema } from '../migrations/store-schema';
import { HEARTBEAT_MS, processesCollection, type ProcessRecord, type ProgramVersion } from './process-record';

export interface SettlingDeps {
  readonly store: Store;
  readonly broker: Pick<Broker, 'listen'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: the table of this program. */
  readonly migrations?: readonly Migration[];
  /** No older program may have been seen for so long. Gateways renew their leases more often. */
  readonly quietMs: number;
  readonly onSchema?: ((schema: StoreSchema) => void) | undefined;
  readonly onDocuments?: ((count: number) => void) | undefined;
}

/** A gateway that names no schema is of the first one. */
const FIRST_VERSION = 1;
const LEASE_MS = 10_000;
/** Processes read at a time. More are not expected; those left over are read when others have expired. */
const MAX_PROCESSES = 1_000;
/** Older programs that are logged once each. */
const MAX_LOGGED = 100;

/** Runs in every replica of charger-state; a lease lets one of them do the work. */
export function createSettling(deps: SettlingDeps): Service {
  const { broker, clock, logger } = deps;
  const rounds = createSettlingRounds(deps);
  let leases: Subscription | undefined;
  const job = createPeriodicJob({
    name: 'settling',
    everyMs: HEARTBEAT_MS,
    run: rounds.run,
    failed: 'settling the store failed; it is tried again',
    clock,
    logger,
  });
  return {
    ...job,
    async start() {
      leases ??= await broker.listen(channels.leases, rounds.seen);
      await job.start();
    },
    async stop() {
      await job.stop();
      await leases?.close();
      leases = undefined;
    },
  };
}

export interface SettlingRounds {
  /** A gateway renewed its lease. */
  seen(lease: Partial<ProgramVersion>): void;
  /** Every `HEARTBEAT_MS`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates the record of the older programs that one replica has seen, and its part in the migration. */
export function createSettlingRounds(deps: Omit<SettlingDeps, 'broker'>): SettlingRounds {
  const { store, clock, logger, quietMs, migrations = MIGRATIONS } = deps;
  const version = schemaVersionOf(migrations);
  const schemas = store.collection(settingsCollection);
  const processes = store.collection(processesCollection);
  const lease = createMigrationLease({
    schemas,
    clock,
    owner: createId(),
    leaseMs: LEASE_MS,
    isExclusive: store.kind === 'sqlite',
  });
  const logged = new Set<string>();
  let beats = new Map<string, { readonly beat: number; readonly sinceMs: number }>();
  let olderSeenMs = clock.monotonicMs();
  let olderGatewaySeen = false;
  let olderWrites: number | undefined;

  function sawOlder(service: string, schema: number, program: string | undefined): void {
    olderSeenMs = clock.monotonicMs();
    const key = `${service} ${String(schema)} ${program ?? ''}`;
    if (logged.has(key) || logged.size >= MAX_LOGGED) return;
    logged.add(key);
    logger.info({ service, schema, program, newest: version }, 'an older program runs beside this one');
  }

  /** Expires those whose beat no longer changes. */
  async function readProcesses(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const now = new Map<string, { readonly beat: number; readonly sinceMs: number }>();
    for (const process of await processes.find(and(), { limit: MAX_PROCESSES })) {
      const before = beats.get(process._id);
      const seen = before?.beat === process.beat ? before : { beat: process.beat, sinceMs: nowMs };
      if (nowMs - seen.sinceMs >= quietMs) await expire(process);
      else now.set(process._id, seen);
      if (process.schema < version && seen !== before) sawOlder(process.service, process.schema, process.program);
    }
    beats = now;
  }

  async function expire({ _id, beat, service, program }: ProcessRecord): Promise<void> {
    const deleted = await processes.delete(and(eq('_id', _id), eq('beat', beat)));
    if (deleted > 0) logger.info({ process: _id, service, program }, 'a process has ended without leaving');
  }

  async function run(signal: AbortSignal): Promise<void> {
    await readProcesses();
    const schema = await schemas.get(SCHEMA_ID);
    if (schema === undefined) return;
    deps.onSchema?.(schema);
    if (schema.version !== version) return;
    if (isSettled(schema)) {
      // The gateway was suspended or cut off meanwhile, or rolled back. Processes with a store do the same by themselves.
      if (olderGatewaySeen) await schemas.update(eq('_id', SCHEMA_ID), { inc: { olderWrites: 1 } });
      olderGatewaySeen = false;
      return;
    }
    olderGatewaySeen = false;
    if (schema.olderWrites !== olderWrites) olderSeenMs = clock.monotonicMs();
    olderWrites = schema.olderWrites;
    if (clock.monotonicMs() - olderSeenMs >= quietMs) await settle(schema, signal);
  }

  async function settle(schema: StoreSchema, signal: AbortSignal): Promise<void> {
    if (!(await lease.acquire(schema))) return;
    try {
      const mayContinue = (): boolean => !signal.aborted && lease.isHeld();
      const documents = await fill({ ...deps, mayContinue }, fillsUpTo(migrations, version));
      if (documents === undefined) return;
      // An older program that has started meanwhile has raised `olderWrites`.
      await lease.finish({ set: { settled: schema.olderWrites ?? 0 } });
      logger.info({ version, documents }, 'the store is settled: no older program has written to it since');
      const after = await schemas.get(SCHEMA_ID);
      if (after !== undefined) deps.onSchema?.(after);
    } finally {
      lease.release();
    }
  }

  return {
    run,
    seen({ schema = FIRST_VERSION, program }) {
      if (schema >= version) return;
      olderGatewaySeen = true;
      sawOlder('ocpp-gateway', schema, program);
    },
  };
}
