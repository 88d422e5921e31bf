// Sends questions about tags to services/push, and changes of endpoints to gateways, over any broker.
import type { Broker } from '@busbar/broker';
import { channels } from '@busbar/contracts';
import type { AuthorizationLink } from '@busbar/domain/real-time-authorization';

/** For both ways through the broker and the look-ups of push, beside the time of the endpoint. */
const TRANSIT_MS = 500;

export function createAuthorizationLink(broker: Pick<Broker, 'broadcast' | 'request'>): AuthorizationLink {
  return {
    async ask(request, timeoutS) {
      const result = await broker.request(channels.authorisations, '', request, timeoutS * 1_000 + TRANSIT_MS);
      return result.outcome === 'answered' ? result.answer : { outcome: 'unavailable' };
    },
    announce(clientId, terms) {
      const client = terms === undefined ? { clientId } : { clientId, terms };
      broker.broadcast(channels.authorisationTerms, { clients: [client] });
    },
  };
}
