// Encrypts stored secrets of webhooks with the first key of SECRETS_KEY, so that an operator can remove an older one.
import type { StoredSecrets } from '../stored-secrets';
import { withCurrentKey } from './webhook-secrets';
import type { WebhookReader, WebhookWriter } from './webhook-stores';

export interface RenewSecretsDeps {
  readonly webhooks: Pick<WebhookReader, 'listAfter'> & Pick<WebhookWriter, 'replace'>;
  readonly secrets: StoredSecrets;
}

/** Webhooks whose secrets are now under the first key, and those with one whose key is gone. */
export interface RenewedSecrets {
  readonly renewed: number;
  readonly undecryptable: number;
}

const BATCH = 100;

/** Keeps the revision: the owner changed nothing. A change by the owner meanwhile counts, and encrypts with the first key itself. */
export async function renewWebhookSecrets({ webhooks, secrets }: RenewSecretsDeps): Promise<RenewedSecrets> {
  let renewed = 0;
  let undecryptable = 0;
  let last: string | undefined;
  for (;;) {
    const batch = await webhooks.listAfter(last, BATCH);
    for (const webhook of batch) {
      const current = withCurrentKey(secrets, webhook);
      if (current !== webhook && (await webhooks.replace(current, webhook.revision))) renewed += 1;
      const stored = [...current.secrets.map(({ encrypted }) => encrypted), current.authorization];
      const isLost = stored.some((each) => each !== null && !secrets.isCurrent(each, webhook.webhookId));
      if (isLost) undecryptable += 1;
    }
    last = batch.at(-1)?.webhookId;
    if (batch.length < BATCH) return { renewed, undecryptable };
  }
}
