// Pauses reading from all sockets while the unconfirmed reports of all chargers exceed their limit.
import type { Connection } from '../connection/connection';
import { resumeReading, pauseReading } from '../connection/reading';
import type { Registry } from '../connection/registry';

export type Backpressure = ReturnType<typeof createBackpressure>;

/**
 * Sockets that resume in one step. Each may deliver 64 KiB of frames before backpressure can begin again, so thousands at a
 * time would exceed the memory limit.
 */
const RESUME_BATCH = 8;

/** Sockets resume in the order in which they paused, so that long backpressure starves none. */
export function createBackpressure(registry: Pick<Registry, 'all'>) {
  const paused = new Set<Connection>();
  let isOn = false;
  let scheduled = false;

  function join(connection: Connection): void {
    if (!isOn || connection.backpressured || connection.closed) return;
    connection.backpressured = true;
    paused.add(connection);
    pauseReading(connection);
  }

  function resumeSome(): void {
    scheduled = false;
    if (isOn) return;
    let count = 0;
    for (const connection of paused) {
      if (count === RESUME_BATCH) break;
      count += 1;
      paused.delete(connection);
      connection.backpressured = false;
      resumeReading(connection);
    }
    schedule();
  }

  function schedule(): void {
    if (scheduled || paused.size === 0) return;
    scheduled = true;
    setImmediate(resumeSome);
  }

  return {
    set(next: boolean): void {
      isOn = next;
      // All of them, silent ones too: unread frames stay in the socket's buffers.
      if (isOn) for (const connection of registry.all()) join(connection);
      else schedule();
    },
    /** Pauses a connection that opens during backpressure. */
    join,
    /** The connection has ended. */
    leave: (connection: Connection) => void paused.delete(connection),
  };
}
