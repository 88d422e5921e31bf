// The processes that work on the store, as they show themselves (`processes`).
import { and, type CollectionDefinition, type Document, type Store } from '@busbar/store';

/**
 * The version that a process reports of its program: the schema version that it writes, and for the log its own
 * version.
 */
export interface ProgramVersion {
  readonly schema: number;
  readonly program: string;
}

/** `_id` is new for each start. `beat` grows while the process lives: the clocks of machines are not compared. */
export interface ProcessRecord extends Document, ProgramVersion {
  readonly service: string;
  readonly beat: number;
}

export const processesCollection: CollectionDefinition<ProcessRecord> = { name: 'processes', indexes: [] };

/** The interval at which a process writes its record and reads the others'. */
export const HEARTBEAT_MS = 10_000;

/** More are not expected. */
const MAX_LISTED = 1_000;

/**
 * Reads the processes with a store, those included that were killed less than a minute ago. Declares their collection: call it
 * before the store is started.
 */
export function createProcessReader(store: Store): () => Promise<readonly ProcessRecord[]> {
  const processes = store.collection(processesCollection);
  const sort = [['service', 1] as const, ['_id', 1] as const];
  return () => processes.find(and(), { sort, limit: MAX_LISTED });
}
