// Limits the requests to each client's endpoint, and leaves alone one that keeps failing. Remembers what became of them until the store
// has it.
import type { Clock, Logger } from '@busbar/core';
import type { AuthorizationEndpoint, EndpointResult, EndpointStatus } from '@busbar/domain/real-time-authorization';
import { LRUCache } from 'lru-cache';
import { createServerCircuit, type ServerCircuit } from '../circuit';
import type { Asked } from './ask-endpoint';

/** `tookMs` is null where it was not asked. */
export interface Outcome {
  readonly result: EndpointResult;
  readonly tookMs: number | null;
}

export interface UnsavedStatus {
  readonly endpoint: Pick<AuthorizationEndpoint, 'clientId' | 'endpointId'>;
  readonly status: EndpointStatus;
}

export type EndpointCircuits = ReturnType<typeof createEndpointCircuits>;

interface Entry {
  /** Of the settings that its circuit is about. */
  readonly revision: string;
  readonly circuit: ServerCircuit;
  lastAskedAt: string | null;
  lastError: string | null;
}

/** Requests of one client at the same time. */
const MAX_IN_FLIGHT = 64;
/** Of all clients together: each holds a connection. */
const MAX_ALL_IN_FLIGHT = 2_000;
/** Endpoints that were asked lately. One that is forgotten begins with a closed circuit. */
const MAX_ENTRIES = 10_000;

export function createEndpointCircuits({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const unsaved = new Map<string, AuthorizationEndpoint>();
  let inFlight = 0;

  /** Changed settings may have mended it. */
  function entryOf({ clientId, endpointId, revision }: AuthorizationEndpoint): Entry {
    const now = `${endpointId}/${String(revision)}`;
    const known = entries.get(clientId);
    if (known?.revision === now) return known;
    const entry: Entry = {
      revision: now,
      circuit: circuitOf(clientId, () => entry),
      lastAskedAt: null,
      lastError: null,
    };
    entries.set(clientId, entry);
    return entry;
  }

  function circuitOf(clientId: string, entryOfIt: () => Entry): ServerCircuit {
    return createServerCircuit({
      clock,
      maxInFlight: MAX_IN_FLIGHT,
      onChange(isBroken) {
        const error = entryOfIt().lastError;
        if (isBroken) logger.warn({ clientId, error }, 'an endpoint for real-time authorization keeps failing');
        else logger.info({ clientId }, 'an endpoint for real-time authorization answers again');
      },
    });
  }

  async function askOnce(endpoint: AuthorizationEndpoint, entry: Entry, ask: () => Promise<Asked>): Promise<Asked> {
    inFlight += 1;
    entry.lastAskedAt = clock.now().toISOString();
    try {
      const asked = await ask();
      entry.lastError = errorOf(asked);
      unsaved.set(endpoint.clientId, endpoint);
      return asked;
    } finally {
      inFlight -= 1;
    }
  }

  function statusOf({ circuit, lastAskedAt, lastError }: Entry): EndpointStatus {
    const { failures, brokenUntilMs } = circuit.state();
    const leftMs = brokenUntilMs === null ? null : brokenUntilMs - clock.monotonicMs();
    const brokenUntil = leftMs === null ? null : new Date(clock.now().getTime() + leftMs).toISOString();
    return { lastAskedAt, failures, brokenUntil, lastError };
  }

  return {
    /**
     * Asks, unless too many requests are in flight or the circuit is broken: the result is then `busy` or `broken`. `isForced`: its owner
     * tries it, so a broken circuit does not count.
     */
    async run(endpoint: AuthorizationEndpoint, ask: () => Promise<Asked>, isForced: boolean): Promise<Outcome> {
      if (inFlight >= MAX_ALL_IN_FLIGHT) return notAsked('busy');
      const entry = entryOf(endpoint);
      const isSuccess = (asked: Asked): boolean => errorOf(asked) === null;
      const asked = await entry.circuit.run(() => askOnce(endpoint, entry, ask), isSuccess, isForced);
      return typeof asked === 'string' ? notAsked(asked) : asked;
    },

    /** What became of the endpoints that were asked since the last call. */
    takeUnsaved(): readonly UnsavedStatus[] {
      const taken = [...unsaved.values()];
      unsaved.clear();
      return taken.map((endpoint) => ({ endpoint, status: statusOf(entryOf(endpoint)) }));
    },
  };
}

function errorOf({ result }: Asked): string | null {
  return 'error' in result ? result.error : null;
}

function notAsked(error: 'busy' | 'broken'): Outcome {
  return { result: { error }, tookMs: null };
}
