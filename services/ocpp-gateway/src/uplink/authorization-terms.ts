// Follows changes of the endpoints for real-time authorization: the terms of open connections. A lost one follows with the
// next notice of all endpoints. After a lost deletion, the response to each request says that nobody was asked.
import type { Broker, Subscription } from '@busbar/broker';
import { channels, type AuthorizationTermsNotice } from '@busbar/contracts';
import type { Service } from '@busbar/core';
import { changeTerms } from '../connection/client-authorization';
import type { Registry } from '../connection/registry';

export function createAuthorizationTerms(broker: Pick<Broker, 'listen'>, registry: Pick<Registry, 'all'>): Service {
  let subscription: Subscription | undefined;

  function apply({ clients }: AuthorizationTermsNotice): void {
    const byClient = new Map(clients.map((client) => [client.clientId, client]));
    for (const { authorization } of registry.all()) {
      if (authorization === undefined) continue;
      const changed = byClient.get(authorization.clientId);
      if (changed !== undefined) changeTerms(authorization, changed.terms);
    }
  }

  return {
    name: 'authorization terms',
    async start() {
      subscription ??= await broker.listen(channels.authorisationTerms, apply);
    },
    async stop() {
      await subscription?.close();
      subscription = undefined;
    },
    ready: () => subscription !== undefined,
  };
}
