// Whether sockets are read from, as far as all chargers together decide it: not while too much is unconfirmed.
import type { Connection } from '../connection/connection';
import { goOnReading, stopReading } from '../connection/reading';
import type { Registry } from '../connection/registry';

export interface Pressure {
  /** Too much is unconfirmed (true), or it has gone down again (false). */
  set(tooMuch: boolean): void;
  /** One that has just opened waits with the others. */
  join(connection: Connection): void;
  /** It has ended. */
  forget(connection: Connection): void;
}

/**
 * Sockets that go on at a time. What the system has handed over of a socket is taken whole, 64 KiB of frames at most: so
 * much may come of each before it shows that it is too much again, and thousands at once would be another outage.
 */
const RESUME_BATCH = 8;

/** Those that wait go on in the order in which they began to, so that under lasting pressure each has its turn. */
export function createPressure(registry: Pick<Registry, 'all'>): Pressure {
  const line = new Set<Connection>();
  let tooMuch = false;
  let scheduled = false;

  function join(connection: Connection): void {
    if (!tooMuch || connection.backpressured || connection.closed) return;
    connection.backpressured = true;
    line.add(connection);
    stopReading(connection);
  }

  function goOn(): void {
    scheduled = false;
    if (tooMuch) return;
    let count = 0;
    for (const connection of line) {
      if (count === RESUME_BATCH) break;
      count += 1;
      line.delete(connection);
      connection.backpressured = false;
      goOnReading(connection);
    }
    schedule();
  }

  function schedule(): void {
    if (scheduled || line.size === 0) return;
    scheduled = true;
    setImmediate(goOn);
  }

  return {
    set(next) {
      tooMuch = next;
      // All of them, also who has said nothing: what is not read costs no more than its bytes.
      if (tooMuch) for (const connection of registry.all()) join(connection);
      else schedule();
    },
    join,
    forget: (connection) => void line.delete(connection),
  };
}
