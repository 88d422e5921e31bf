import type { Logger } from '@busbar/core';
import { guarded } from './guarded';

/** Listeners for the loss and return of the broker. One that throws does not affect the others. */
export function createConnectionListeners(logger: Logger) {
  const listeners = new Set<(up: boolean) => void>();
  return {
    add(listener: (up: boolean) => void) {
      // A wrapper, so that a listener added twice is called twice and each can be removed.
      const entry = (up: boolean): void => listener(up);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    notify(up: boolean) {
      for (const listener of [...listeners]) guarded(logger, 'onConnection', () => listener(up));
    },
  };
}
