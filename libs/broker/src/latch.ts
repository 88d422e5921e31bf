import type { Clock } from '@busbar/core';

/** Closed until it is opened, once and permanently. */
export function createLatch() {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    open() {
      isOpen = true;
      for (const resume of [...waiting]) resume();
    },
    /** True when it opened; false when it did not within that time. */
    wait(clock: Clock, withinMs: number): Promise<boolean> {
      if (isOpen) return Promise.resolve(true);
      return new Promise((resolve) => {
        const leave = (): void => {
          timer.cancel();
          waiting.delete(leave);
          resolve(isOpen);
        };
        const timer = clock.after(withinMs, leave);
        waiting.add(leave);
      });
    },
  };
}
