// Creates, changes and deletes webhooks, and changes their signing secrets. Each change is a compare-and-set on the revision.
import { AppError, createId, type Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import type { ApiKey } from '../clients/api-key';
import { openClientFeed, type PageReader } from '../feed/client-feed';
import { placeOf, refuseDeleted } from '../feed/feed-places';
import { retryOnConflict } from '../retry-on-conflict';
import type { StoredSecrets } from '../stored-secrets';
import { toTimestamp } from '../timestamp';
import type { PushLink } from './push-link';
import { findWebhook, unknownWebhook, type FindWebhookDeps, type OwnedWebhook } from './read-webhooks';
import type { Webhook, WebhookBegin } from './webhook';
import { refuseInput, settingsOf, type InputDeps, type WebhookChange, type WebhookInput } from './webhook-input';
import { newSigningSecret, requireKey, rotated, withCurrentKey } from './webhook-secrets';
import { webhookStatus } from './webhook-status';
import { MAX_WEBHOOKS, type WebhookWriter } from './webhook-stores';
import { refuseUnreadableTypes } from './webhook-types';

export interface ManageWebhookDeps extends InputDeps, FindWebhookDeps {
  readonly webhooks: FindWebhookDeps['webhooks'] & WebhookWriter;
  readonly feed: PageReader;
  /** Undefined: no key is configured. */
  readonly secrets: StoredSecrets | undefined;
  readonly pushLink: Pick<PushLink, 'announce'>;
  readonly clock: Clock;
}

type Caller = Pick<ApiKey, 'clientId' | 'permissions'>;

export interface ChangedWebhook extends OwnedWebhook {
  /** Returns whether this version (`webhookVersion`) is the expected one. Absent: any version is. */
  readonly ifMatch?: ((version: string) => boolean) | undefined;
}

/** For a change that lost every attempt to other callers. */
export const CONTENDED = 'Others keep changing this webhook.';

export function webhookVersion({ revision }: Webhook): string {
  return String(revision);
}

/**
 * Creates a webhook, and returns its signing secret, which is never shown again. Throws `invalid_webhook_url`, `invalid_request`,
 * `forbidden` for a type whose permission the caller lacks, `cursor_expired`, `conflict` beyond `MAX_WEBHOOKS`, and `unavailable`
 * without a key.
 */
export async function createWebhook(
  deps: ManageWebhookDeps,
  { clientId, permissions }: Caller,
  input: WebhookInput,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const settings = settingsOf(input);
  const { authorization = null } = input;
  await refuseInput(deps, clientId, input, { ...settings, hasAuthorization: authorization !== null });
  refuseUnreadableTypes(settings, permissions);
  const secrets = requireKey(deps.secrets);
  const begin = await beginAt(deps.feed, clientId, input.startAt ?? 'now');
  const webhookId = `wh_${createId().toLowerCase()}`;
  const secret = newSigningSecret();
  const at = toTimestamp(deps.clock.now());
  const webhook: Webhook = {
    ...settings,
    webhookId,
    clientId,
    authorization: authorization === null ? null : secrets.encrypt(authorization, webhookId),
    secrets: rotated(secrets, { webhookId, secrets: [] }, secret, null),
    activation: 1,
    begin,
    createdAt: at,
    revision: 1,
    updatedAt: at,
  };
  if (!(await deps.webhooks.insert(webhook))) {
    const most = `A client has at most ${String(MAX_WEBHOOKS)} webhooks`;
    throw new AppError('conflict', `${most}: delete one that is not used.`);
  }
  deps.pushLink.announce(clientId, webhookId);
  return { webhook, secret };
}

/**
 * Changes the given fields. Enabling one that is disabled continues where it stopped, unless `startAt` is given. Throws as
 * `createWebhook`, `not_found`, and `precondition_failed` for another version. A change without effect leaves the version as it is.
 */
export async function changeWebhook(
  deps: ManageWebhookDeps,
  { permissions }: Caller,
  owned: ChangedWebhook,
  change: WebhookChange,
): Promise<Webhook> {
  const { clientId, webhookId } = owned;
  const changed = await retryOnConflict(CONTENDED, async () => {
    const { webhook: before, standing } = await findWebhook(deps, owned);
    const settings = settingsOf(change, before);
    const authorization = change.authorization === undefined ? before.authorization : change.authorization;
    await refuseInput(deps, clientId, change, { ...settings, hasAuthorization: authorization !== null });
    const isDisabled = webhookStatus(before, standing).status === 'disabled';
    const isEnabled = change.enabled === true && isDisabled;
    const startAt = change.startAt ?? undefined;
    const fields = {
      ...settings,
      authorization: sealed(deps.secrets, before, change.authorization),
      ...(startAt === undefined ? {} : { begin: await beginAt(deps.feed, clientId, startAt) }),
      activation: before.activation + (isEnabled ? 1 : 0),
    };
    if (widens(before, fields)) refuseUnreadableTypes(settings, permissions);
    refuseOtherVersion(before, owned);
    if (changesNothing<Webhook>(before, fields)) return { webhook: before, isWritten: false };
    const updatedAt = toTimestamp(deps.clock.now());
    const next = {
      ...withCurrentKey(deps.secrets, { ...before, ...fields }),
      revision: before.revision + 1,
      updatedAt,
    };
    return (await deps.webhooks.replace(next, before.revision)) ? { webhook: next, isWritten: true } : undefined;
  });
  if (changed.isWritten) deps.pushLink.announce(clientId, webhookId);
  return changed.webhook;
}

/** Deletes it with all that belongs to it, and returns it. Throws `not_found` and `precondition_failed`. */
export async function deleteWebhook(
  deps: Pick<ManageWebhookDeps, 'webhooks' | 'webhookStandings' | 'pushLink'>,
  owned: ChangedWebhook,
): Promise<Webhook> {
  const { clientId, webhookId } = owned;
  const { webhook } = await findWebhook(deps, owned);
  refuseOtherVersion(webhook, owned);
  if (!(await deps.webhooks.delete(clientId, webhookId))) throw unknownWebhook(webhookId);
  deps.pushLink.announce(clientId, webhookId);
  return webhook;
}

/**
 * Gives it another signing secret, which is never shown again. The one before it signs too for `graceS` seconds; at most two sign at
 * a time. Throws `not_found`, and `unavailable` without a key.
 */
export async function rotateWebhookSecret(
  deps: Pick<ManageWebhookDeps, 'webhooks' | 'webhookStandings' | 'secrets' | 'pushLink' | 'clock'>,
  owned: OwnedWebhook,
  graceS: number,
): Promise<string> {
  const secret = newSigningSecret();
  await retryOnConflict(CONTENDED, async () => {
    const { webhook: before } = await findWebhook(deps, owned);
    const secrets = requireKey(deps.secrets);
    const now = deps.clock.now();
    const endsAt = graceS === 0 ? null : toTimestamp(new Date(now.getTime() + graceS * 1_000));
    const all = rotated(secrets, before, secret, endsAt);
    const fields = { secrets: all, revision: before.revision + 1, updatedAt: toTimestamp(now) };
    const next = withCurrentKey(secrets, { ...before, ...fields });
    return (await deps.webhooks.replace(next, before.revision)) ? next : undefined;
  });
  deps.pushLink.announce(owned.clientId, owned.webhookId);
  return secret;
}

/** The place where deliveries begin. Throws `invalid_request` naming `startAt`, and `cursor_expired`. */
async function beginAt(reader: PageReader, clientId: string, startAt: string): Promise<WebhookBegin> {
  const feed = await openClientFeed(reader, clientId);
  const position = await placeOf(feed, startAt, 'startAt');
  await refuseDeleted(reader, feed, position);
  return { id: createId(), generation: feed.identity.generation, position };
}

/** The stored value: as it was, none, or the new one encrypted. */
function sealed(
  secrets: StoredSecrets | undefined,
  { webhookId, authorization }: Webhook,
  given: string | null | undefined,
): string | null {
  if (given === undefined) return authorization;
  return given === null ? null : requireKey(secrets).encrypt(given, webhookId);
}

/** Whether events may go out that did not before, or to another receiver. */
function widens(before: Webhook, fields: Partial<Webhook>): boolean {
  const { url, format, types, siteIds, chargerIds, includeSubsites, activation, begin } = fields;
  const reach = { url, format, types, siteIds, chargerIds, includeSubsites, activation };
  return begin !== undefined || !changesNothing<object>(before, reach);
}

/** Checked last: errors that hold for any version come first. */
function refuseOtherVersion(webhook: Webhook, { ifMatch }: ChangedWebhook): void {
  if (ifMatch?.(webhookVersion(webhook)) !== false) return;
  throw new AppError('precondition_failed', 'The webhook was changed in the meantime. Read it again, then change it.');
}
