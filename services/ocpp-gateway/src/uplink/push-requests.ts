// Requests of a gateway to services/push, with a limit on those in flight.
import type { Broker } from '@busbar/broker';
import type { DirectChannel } from '@busbar/contracts';

export interface PushRequestLimits {
  /** Beyond, requests are answered as without push. */
  readonly maxInFlight: number;
}

/** Returns a function that asks any process of push and never rejects. `nobody`: none is there, or too many requests are in flight. */
export function createPushRequests<Body, Answer>(
  broker: Pick<Broker, 'request'>,
  channel: DirectChannel<Body, Answer>,
  { maxInFlight }: PushRequestLimits,
): (body: Body, deadlineMs: number) => Promise<{ readonly answer: Answer } | 'nobody' | 'timeout'> {
  let inFlight = 0;
  return async (body, deadlineMs) => {
    if (inFlight >= maxInFlight || deadlineMs <= 0) return 'nobody';
    inFlight += 1;
    try {
      const result = await broker.request(channel, '', body, deadlineMs);
      if (result.outcome === 'answered') return { answer: result.answer };
      return result.outcome === 'timeout' ? 'timeout' : 'nobody';
    } catch {
      // A broker that stops.
      return 'nobody';
    } finally {
      inFlight -= 1;
    }
  };
}
