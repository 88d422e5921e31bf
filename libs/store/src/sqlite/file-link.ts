import type { AppError, Clock, Logger, Timer } from '@busbar/core';

const PROBE_MS = 1_000;

/** Tracks whether the data file accepts writes. While it does not, a probe is written every second. */
export function createFileLink(clock: Clock, logger: Logger, probe: () => void) {
  const listeners = new Set<(up: boolean) => void>();
  let up = false;
  let timer: Timer | undefined;

  const turn = (next: boolean): void => {
    if (up === next) return;
    up = next;
    for (const listener of listeners) listener(next);
  };
  const stopProbing = (): void => {
    timer?.cancel();
    timer = undefined;
  };

  return {
    open: () => turn(true),
    close() {
      stopProbing();
      turn(false);
    },
    isUp: () => up,
    /** After each group of writes, with the error that failed it. */
    done(error?: AppError) {
      if (error && up) logger.error({ err: error.cause }, 'the data file cannot be written: is the disk full?');
      if (!error && timer) logger.info({}, 'the data file accepts writes again');
      if (error) timer ??= clock.every(PROBE_MS, probe);
      else stopProbing();
      turn(!error);
    },
    listen(listener: (up: boolean) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
