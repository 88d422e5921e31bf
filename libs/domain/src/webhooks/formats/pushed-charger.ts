import type { ChargerRegistration } from '../../chargers/charger';
import type { Webhook } from '../webhook';

/** The facts of a charger that the push formats need beside the event. */
export type PushedCharger = Pick<ChargerRegistration, 'pushIntegrationEnabled' | 'integrationRelays' | 'sockets'>;

/** Whether messages of this charger go to this webhook: where the charger names relays, only to webhooks that are described so. */
export function isPushedTo(
  { pushIntegrationEnabled, integrationRelays }: PushedCharger,
  { description }: Pick<Webhook, 'description'>,
): boolean {
  return pushIntegrationEnabled && (integrationRelays.length === 0 || integrationRelays.includes(description));
}

/** The settings of deleted chargers whose owners pushed them: messages of what happened before may wait for a receiver. */
export interface DeletedPushedChargers {
  /** Undefined where the incarnation is another client's, was not pushed, or was deleted long ago. */
  find(clientId: string, incarnationId: string): Promise<PushedCharger | undefined>;
}
