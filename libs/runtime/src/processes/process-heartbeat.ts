// Shows this process in the collection `processes` while it works on the store.
import { createId, createPeriodicJob, type Clock, type Logger, type Service } from '@busbar/core';
import { eq, type Store } from '@busbar/store';
import { isSettled, SCHEMA_ID, settingsCollection, type StoreSchema } from '../migrations/store-schema';
import { checkReadable } from '../migrations/store-setup';
import { HEARTBEAT_MS, processesCollection, type ProgramVersion } from './process-record';

export interface HeartbeatDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly service: string;
  readonly version: ProgramVersion;
  readonly onSchema?: ((schema: StoreSchema) => void) | undefined;
  /** The store is no longer for this program: the process must end. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Its start shows the process before it writes anything else. */
export function createHeartbeat(deps: HeartbeatDeps): Service {
  const { store, clock, logger, service, version } = deps;
  const processes = store.collection(processesCollection);
  const schemas = store.collection(settingsCollection);
  const id = createId();

  async function show(): Promise<void> {
    await processes.update(eq('_id', id), { set: { service, ...version }, inc: { beat: 1 } }, { upsert: true });
  }

  async function beat(): Promise<void> {
    await show();
    const schema = await schemas.get(SCHEMA_ID);
    if (schema === undefined) return;
    // The store was settled while this process was suspended or cut off.
    if (schema.version > version.schema && isSettled(schema))
      await schemas.update(eq('_id', SCHEMA_ID), { inc: { olderWrites: 1 } });
    try {
      checkReadable(schema, version.schema);
    } catch (error) {
      deps.onUnreadable(error);
    }
    deps.onSchema?.(schema);
  }

  const job = createPeriodicJob({
    name: 'heartbeat',
    everyMs: HEARTBEAT_MS,
    run: beat,
    failed: 'the heartbeat of this process failed',
    clock,
    logger,
  });
  return {
    ...job,
    async start() {
      await show();
      await job.start();
    },
    async stop() {
      await job.stop();
      // Where that fails, it expires.
      await processes.delete(eq('_id', id)).catch(() => undefined);
    },
  };
}
