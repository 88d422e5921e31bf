import { createId, type Clock, type Timer } from '@busbar/core';
import type { RequestOutcome } from './port';

export type PendingRequests = ReturnType<typeof createPendingRequests>;

interface Waiting {
  readonly timer: Timer;
  readonly resolve: (outcome: RequestOutcome<unknown>) => void;
}

/** Requests that wait for their response, at most `limit`: the same for every adapter. */
export function createPendingRequests(clock: Clock, limit: number) {
  const waiting = new Map<string, Waiting>();

  /** The first outcome counts; an outcome of a finished request is dropped. */
  const complete = (id: string, outcome: RequestOutcome<unknown>): void => {
    const request = waiting.get(id);
    if (!request) return;
    waiting.delete(id);
    request.timer.cancel();
    request.resolve(outcome);
  };

  return {
    /**
     * Undefined when the limit is reached; else the correlation id, and the outcome, which never rejects and resolves at the
     * deadline at the latest.
     */
    open<Answer>(deadlineMs: number) {
      if (waiting.size >= limit) return undefined;
      const id = createId();
      const outcome = new Promise<RequestOutcome<unknown>>((resolve) => {
        const timer = clock.after(deadlineMs, () => complete(id, { outcome: 'timeout' }));
        waiting.set(id, { timer, resolve });
      });
      // The channel fixes the response's type on both sides.
      return { id, outcome: outcome as Promise<RequestOutcome<Answer>> };
    },
    complete,
    completeAll(outcome: RequestOutcome<unknown>) {
      for (const id of [...waiting.keys()]) complete(id, outcome);
    },
  };
}
