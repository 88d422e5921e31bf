import { createId, type Clock, type Timer } from '@busbar/core';
import type { RequestOutcome } from './port';

export interface OpenedRequest<Answer> {
  /** The correlation id. */
  readonly id: string;
  /** Never rejects, and resolves at the deadline at the latest. */
  readonly outcome: Promise<RequestOutcome<Answer>>;
}

/** Requests that wait for their response: the same for every adapter. */
export interface PendingRequests {
  /** Undefined when the limit is reached. */
  open<Answer>(deadlineMs: number): OpenedRequest<Answer> | undefined;
  /** The first outcome counts; an outcome of a finished request is dropped. */
  complete(id: string, outcome: RequestOutcome<unknown>): void;
  completeAll(outcome: RequestOutcome<unknown>): void;
}

interface Waiting {
  readonly timer: Timer;
  readonly resolve: (outcome: RequestOutcome<unknown>) => void;
}

/** Holds at most `limit` requests at a time. */
export function createPendingRequests(clock: Clock, limit: number): PendingRequests {
  const waiting = new Map<string, Waiting>();

  const complete = (id: string, outcome: RequestOutcome<unknown>): void => {
    const request = waiting.get(id);
    if (!request) return;
    waiting.delete(id);
    request.timer.cancel();
    request.resolve(outcome);
  };

  return {
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
    completeAll(outcome) {
      for (const id of [...waiting.keys()]) complete(id, outcome);
    },
  };
}
