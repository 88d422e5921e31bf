// Webhooks: how their owners manage them, what a response to a delivery means, and when to try again.
export { attemptOutcome, type AttemptOutcome } from './attempt-outcome';
export { eventRetryMs, probeMs, retryAfterMs } from './retry-times';
export { afterAttempt, HEALTHY, probedEvent, UNLIMITED, type Attempt, type WebhookHealth } from './webhook-health';
export type { FormatEvent, OutgoingMessage } from './outgoing-message';
export { PUSH_KINDS } from './webhook';
export type { PushKind, Webhook, WebhookBegin, WebhookFormat, WebhookSecret } from './webhook';
export type {
  DeliveryProgress,
  EventPlace,
  DeferredQueue,
  ReplayedProgress,
  WebhookStanding,
} from './webhook-standing';
export { MAX_DEAD_DELIVERIES, MAX_WEBHOOKS } from './webhook-stores';
export type {
  DeadDeliveries,
  DeadDelivery,
  DeliveryAttempt,
  DeliveryRequest,
  DeliveryFilter,
  DeliveryLog,
  WebhookReader,
  WebhookStandings,
  WebhookWriter,
} from './webhook-stores';
export { pushEventTypes, pushMessages, type PushFormat } from './formats/push-messages';
export type { DeletedPushedChargers, PushedCharger } from './formats/pushed-charger';
export { standardMessage } from './formats/standard';
export { redeliverEvents, testWebhook, type AskPushDeps } from './ask-push';
export { MAX_WAITING } from './count-waiting';
export { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret, webhookVersion } from './manage-webhooks';
export type { ManageWebhookDeps } from './manage-webhooks';
export type { PushLink } from './push-link';
export { findWebhook, showWebhooks } from './read-webhooks';
export type { FindWebhookDeps, ShowWebhookDeps, WebhookView } from './read-webhooks';
export { renewWebhookSecrets } from './renew-secrets';
export { replayWebhook, type ReplayDeps } from './replay-webhook';
export type { WebhookChange, WebhookInput } from './webhook-input';
export { webhookStatus, type StatusReason, type WebhookStatus } from './webhook-status';
export { WEBHOOK_TYPES, webhookEventTypes } from './webhook-types';
