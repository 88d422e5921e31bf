// The secrets of a webhook: signing secrets that overlap while receivers change over, and values of `authorization`.
import { randomBytes } from 'node:crypto';
import { AppError } from '@busbar/core';
import { underFirstKey, type StoredSecrets } from '../stored-secrets';
import type { Timestamp } from '../timestamp';
import type { Webhook, WebhookSecret } from './webhook';

type Secrets = Pick<Webhook, 'webhookId' | 'secrets' | 'authorization'>;

const SECRET_BYTES = 32;

export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Throws `unavailable` where no key is configured. */
export function requireKey(secrets: StoredSecrets | undefined): StoredSecrets {
  if (secrets !== undefined) return secrets;
  throw new AppError('unavailable', 'The service has no key for secrets: its operator must set SECRETS_KEY.');
}

/** The new secret, and until `endsAt` the newest before it. One that cannot be decrypted any more signs nothing. */
export function rotated(
  secrets: StoredSecrets,
  { webhookId, secrets: before }: Pick<Webhook, 'webhookId' | 'secrets'>,
  secret: string,
  endsAt: Timestamp | null,
): readonly WebhookSecret[] {
  const added = { encrypted: secrets.encrypt(secret, webhookId), endsAt: null };
  const [newest] = before;
  if (endsAt === null || newest === undefined) return [added];
  return secrets.decrypt(newest.encrypted, webhookId) === undefined ? [added] : [added, { ...newest, endsAt }];
}

/** The webhook with every secret under the first key, where its key is there; the same object where nothing changes. */
export function withCurrentKey<W extends Secrets>(secrets: StoredSecrets | undefined, webhook: W): W {
  if (secrets === undefined) return webhook;
  const { webhookId } = webhook;
  const renew = (stored: string): string => underFirstKey(secrets, stored, webhookId);
  const authorization = webhook.authorization === null ? null : renew(webhook.authorization);
  const renewed = webhook.secrets.map((each) => ({ ...each, encrypted: renew(each.encrypted) }));
  const isSame =
    authorization === webhook.authorization &&
    renewed.every(({ encrypted }, n) => encrypted === webhook.secrets[n]?.encrypted);
  return isSame ? webhook : { ...webhook, authorization, secrets: renewed };
}
