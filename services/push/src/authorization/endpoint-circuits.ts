// Limits the requests to each client's endpoint, and leaves alone one that keeps failing. Remembers what became of them until the store
// has it.
import type { Clock, Logger } from '@busbar/core';
import {
  afterRequest,
  CLOSED_CIRCUIT,
  mayAsk,
  type AuthorizationEndpoint,
  type Circuit,
  type EndpointResult,
  type EndpointStatus,
} from '@busbar/domain/real-time-authorization';
import { LRUCache } from 'lru-cache';
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
  circuit: Circuit;
  inFlight: number;
  /** Begun since the circuit broke. */
  probes: number;
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
    const begun = { circuit: CLOSED_CIRCUIT, inFlight: 0, probes: 0, lastAskedAt: null, lastError: null };
    const entry: Entry = { revision: now, ...begun };
    entries.set(clientId, entry);
    return entry;
  }

  function record(endpoint: AuthorizationEndpoint, entry: Entry, { result }: Asked): void {
    const { circuit: before } = entry;
    const error = 'error' in result ? result.error : null;
    entry.circuit = afterRequest(before, error === null, clock.monotonicMs());
    entry.lastError = error;
    unsaved.set(endpoint.clientId, endpoint);
    const wasBroken = before.brokenUntilMs !== null;
    const isBroken = entry.circuit.brokenUntilMs !== null;
    const { clientId } = endpoint;
    if (isBroken && !wasBroken)
      logger.warn({ clientId, error }, 'an endpoint for real-time authorization keeps failing');
    if (wasBroken && !isBroken) logger.info({ clientId }, 'an endpoint for real-time authorization answers again');
  }

  function statusOf({ circuit, lastAskedAt, lastError }: Entry): EndpointStatus {
    const { failures, brokenUntilMs } = circuit;
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
      const entry = entryOf(endpoint);
      if (entry.inFlight >= MAX_IN_FLIGHT || inFlight >= MAX_ALL_IN_FLIGHT) return notAsked('busy');
      if (!isForced && !mayAsk(entry.circuit, clock.monotonicMs(), entry.probes)) return notAsked('broken');
      const isProbe = entry.circuit.brokenUntilMs !== null;
      entry.inFlight += 1;
      inFlight += 1;
      if (isProbe) entry.probes += 1;
      entry.lastAskedAt = clock.now().toISOString();
      try {
        const asked = await ask();
        record(endpoint, entry, asked);
        return asked;
      } finally {
        entry.inFlight -= 1;
        inFlight -= 1;
        if (isProbe) entry.probes -= 1;
      }
    },

    /** What became of the endpoints that were asked since the last call. */
    takeUnsaved(): readonly UnsavedStatus[] {
      const taken = [...unsaved.values()];
      unsaved.clear();
      return taken.map((endpoint) => ({ endpoint, status: statusOf(entryOf(endpoint)) }));
    },
  };
}

function notAsked(error: 'busy' | 'broken'): Outcome {
  return { result: { error }, tookMs: null };
}
