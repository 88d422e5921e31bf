import type { AuthorizationAnswer } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import type { ChargerReader } from '../chargers/charger';
import { readOwnedCharger, type OwnedCharger } from '../chargers/owned-charger';
import type { AuthorizationLink } from './authorization-link';
import { readAuthorizationEndpoint, type ReadEndpointDeps } from './manage-endpoint';

export interface TestEndpointDeps extends ReadEndpointDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly authorizationLink: Pick<AuthorizationLink, 'ask'>;
}

export type EndpointTest = Extract<AuthorizationAnswer, { readonly outcome: 'judged' | 'failed' }>;

const RETRY_AFTER_S = 5;

/**
 * Asks the client's endpoint about a tag now, also where it is disabled, failing, or for other sites, and whether or not the client has
 * the tag. Throws `not_found` without an endpoint or such a charger, and `unavailable` where no process can ask.
 */
export async function testAuthorizationEndpoint(
  deps: TestEndpointDeps,
  owned: Pick<OwnedCharger, 'clientId' | 'chargerId'>,
  rfidTag: string,
): Promise<EndpointTest> {
  const { timeoutS } = await readAuthorizationEndpoint(deps, owned.clientId);
  const { clientId, chargerId, incarnationId } = await readOwnedCharger(deps, owned);
  const question = { clientId, chargerId, incarnationId, rfidTag, socketId: null, action: 'test' } as const;
  const answer = await deps.authorizationLink.ask(question, timeoutS);
  if (answer.outcome === 'judged' || answer.outcome === 'failed') return answer;
  throw new AppError('unavailable', 'No process of the service can ask the endpoint now.', {
    details: { retryAfterS: RETRY_AFTER_S },
  });
}
