// After a change of SECRETS_KEY: encrypts all stored secrets with its first key.
import type { Logger } from '@busbar/core';
import type { Records, StoredSecrets } from '@busbar/domain';
import { renewEndpointSecrets } from '@busbar/domain/real-time-authorization';
import { renewWebhookSecrets } from '@busbar/domain/webhooks';

export interface RenewStoredSecretsDeps extends Pick<Records, 'webhooks' | 'authorizationEndpoints'> {
  readonly secrets: StoredSecrets;
  readonly logger: Logger;
}

/** Logs what it did. A failure is logged too, and the next start tries again: meanwhile the older keys are still needed. */
export async function renewStoredSecrets(deps: RenewStoredSecretsDeps): Promise<void> {
  const { logger } = deps;
  try {
    const parts = [await renewWebhookSecrets(deps), await renewEndpointSecrets(deps)];
    const renewed = parts.reduce((sum, part) => sum + part.renewed, 0);
    const undecryptable = parts.reduce((sum, part) => sum + part.undecryptable, 0);
    if (renewed > 0) logger.info({ renewed }, 'encrypted stored secrets with the first key of SECRETS_KEY');
    if (undecryptable === 0) return;
    logger.error(
      { undecryptable },
      'stored secrets cannot be decrypted: add their key to SECRETS_KEY, or give the webhooks new secrets',
    );
  } catch (err) {
    logger.error({ err }, 'encrypting stored secrets with the first key of SECRETS_KEY failed');
  }
}
