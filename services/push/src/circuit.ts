// Limits the requests to one server of others, and leaves alone one that keeps failing.
import type { Clock } from '@busbar/core';
import { afterRequest, CLOSED_CIRCUIT, mayAsk, type Circuit } from '@busbar/domain/real-time-authorization';

export interface ServerCircuitDeps {
  readonly clock: Clock;
  /** Requests at the same time. */
  readonly maxInFlight: number;
  /** The server begins to be left alone, or answers again. */
  readonly onChange?: (isBroken: boolean) => void;
}

export interface ServerCircuit {
  /**
   * Asks, unless too many requests are in flight or the circuit is broken. `isForced`: a broken circuit does not count. Rejects as `ask`
   * does, which changes nothing.
   */
  run<T>(ask: () => Promise<T>, isSuccess: (answer: T) => boolean, isForced?: boolean): Promise<T | 'busy' | 'broken'>;
  state(): Circuit;
}

export function createServerCircuit({ clock, maxInFlight, onChange }: ServerCircuitDeps): ServerCircuit {
  let circuit = CLOSED_CIRCUIT;
  let inFlight = 0;
  /** Begun since the circuit broke. */
  let probes = 0;

  function record(isSuccess: boolean): void {
    const wasBroken = circuit.brokenUntilMs !== null;
    circuit = afterRequest(circuit, isSuccess, clock.monotonicMs());
    const isBroken = circuit.brokenUntilMs !== null;
    if (isBroken !== wasBroken) onChange?.(isBroken);
  }

  return {
    async run(ask, isSuccess, isForced = false) {
      if (inFlight >= maxInFlight) return 'busy';
      if (!isForced && !mayAsk(circuit, clock.monotonicMs(), probes)) return 'broken';
      const isProbe = circuit.brokenUntilMs !== null;
      inFlight += 1;
      if (isProbe) probes += 1;
      try {
        const answer = await ask();
        record(isSuccess(answer));
        return answer;
      } finally {
        inFlight -= 1;
        if (isProbe) probes -= 1;
      }
    },
    state: () => circuit,
  };
}
