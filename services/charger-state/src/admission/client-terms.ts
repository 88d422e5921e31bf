// The terms of clients' endpoints for real-time authorization. Chargers that reconnect at once are few clients': one read serves them,
// and a notice of a change counts at once.
import type { AuthorizationTerms, AuthorizationTermsNotice } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import { termsOf, type AuthorizationEndpointReader } from '@busbar/domain/real-time-authorization';
import { LRUCache } from 'lru-cache';

export type ClientTerms = ReturnType<typeof createClientTerms>;

const CACHED_MS = 1_000;
/** Clients whose terms are cached. */
const MAX_CLIENTS = 10_000;

interface Cached {
  readonly terms: Promise<AuthorizationTerms | undefined>;
  readonly untilMs: number;
}

export function createClientTerms(endpoints: Pick<AuthorizationEndpointReader, 'find'>, clock: Clock) {
  const cache = new LRUCache<string, Cached>({ max: MAX_CLIENTS });
  const put = (clientId: string, terms: Cached['terms']): Cached['terms'] => {
    cache.set(clientId, { terms, untilMs: clock.monotonicMs() + CACHED_MS });
    return terms;
  };

  return {
    /** Undefined where the client has no enabled endpoint. */
    of(clientId: string): Promise<AuthorizationTerms | undefined> {
      const known = cache.get(clientId);
      if (known !== undefined && clock.monotonicMs() < known.untilMs) return known.terms;
      const read = put(clientId, endpoints.find(clientId).then(termsOf));
      read.catch(() => {
        if (cache.get(clientId)?.terms === read) cache.delete(clientId);
      });
      return read;
    },
    /** Also replaces a read that began before the change. */
    learn({ clients }: AuthorizationTermsNotice): void {
      for (const { clientId, terms } of clients) if (cache.has(clientId)) void put(clientId, Promise.resolve(terms));
    },
  };
}
