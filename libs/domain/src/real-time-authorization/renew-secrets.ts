// Encrypts stored secrets of endpoints with the first key of SECRETS_KEY, so that an operator can remove an older one.
import { underFirstKey, type StoredSecrets } from '../stored-secrets';
import type { RenewedSecrets } from '../webhooks/renew-secrets';
import type { AuthorizationEndpointReader, AuthorizationEndpointWriter } from './authorization-endpoint';

export interface RenewEndpointDeps {
  readonly authorizationEndpoints: Pick<AuthorizationEndpointReader, 'listAfter'> &
    Pick<AuthorizationEndpointWriter, 'replace'>;
  readonly secrets: StoredSecrets;
}

const BATCH = 100;

/** Keeps the revision: the owner changed nothing. */
export async function renewEndpointSecrets({
  authorizationEndpoints: endpoints,
  secrets,
}: RenewEndpointDeps): Promise<RenewedSecrets> {
  let renewed = 0;
  let undecryptable = 0;
  let last: string | undefined;
  for (;;) {
    const batch = await endpoints.listAfter(last, BATCH);
    for (const endpoint of batch) {
      const { endpointId, revision } = endpoint;
      const secret = underFirstKey(secrets, endpoint.secret, endpointId);
      const authorization =
        endpoint.authorization === null ? null : underFirstKey(secrets, endpoint.authorization, endpointId);
      const isSame = secret === endpoint.secret && authorization === endpoint.authorization;
      if (!isSame && (await endpoints.replace({ ...endpoint, secret, authorization }, revision))) renewed += 1;
      const isLost = [secret, authorization].some((each) => each !== null && !secrets.isCurrent(each, endpointId));
      if (isLost) undecryptable += 1;
    }
    last = batch.at(-1)?.clientId;
    if (batch.length < BATCH) return { renewed, undecryptable };
  }
}
