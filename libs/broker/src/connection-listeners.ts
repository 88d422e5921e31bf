import type { Logger } from '@busbar/core';
import { guarded } from './guarded';

export interface ConnectionListeners {
  add(listener: (up: boolean) => void): () => void;
  notify(up: boolean): void;
}

/** Whom to tell when the broker comes and goes. One that throws does not keep the others from being told. */
export function createConnectionListeners(logger: Logger): ConnectionListeners {
  const listeners = new Set<(up: boolean) => void>();
  return {
    add(listener) {
      // A fresh function, so that one listener added twice is told twice and taken away once.
      const entry = (up: boolean): void => listener(up);
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    notify(up) {
      for (const listener of [...listeners]) guarded(logger, 'onConnection', () => listener(up));
    },
  };
}
