// Encrypts stored secrets of webhooks with the first key of SECRETS_KEY, so that an operator can remove an older one.
import type { StoredSecrets } from '../stored-secrets';
import type { WebhookReader, WebhookWriter } from './webhook-stores';
import { withCurrentKey } from './webhook-secrets';

export interface RenewSecretsDeps {
  readonly webhooks: Pick<WebhookReader, 'listAfter'> & Pick<WebhookWriter, 'replace'>;
  readonly secrets: StoredSecrets;
}

const BATCH = 100;

/** Keeps the revision: the owner changed nothing. A change by the owner meanwhile counts, and encrypts with the first key itself. */
export async function renewWebhookSecrets({
  webhooks,
  secrets,
}: RenewSecretsDeps): Promise<{ readonly renewed: number; readonly undecryptable: number }> {
  let renewed = 0;
  let undecryptable = 0;
  let last: string | undefined;
  for (;;) {
    const batch = await webhooks.listAfter(last, BATCH);
    for (const webhook of batch) {
      const current = withCurrentKey(secrets, webhook);
      if (current !== webhook && (await webhooks.replace(current, webhook.revision))) renewed += 1;
      const stored = [...current.secrets.map(({ encrypted }) => encrypted), current.authorization ?? undefined];
      const lost = stored.some((each) => each !== undefined && !secrets.isCurrent(each, webhook.webhookId));
      if (lost) undecryptable += 1;
    }
    last = batch.at(-1)?.webhookId;
    if (batch.length < BATCH) return { renewed, undecryptable };
  }
}
