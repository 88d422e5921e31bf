import type { FeedReader } from '@busbar/domain/feed';
import type {
  DeadDeliveries,
  DeliveryLog,
  ManageWebhookDeps,
  PushLink,
  ShowWebhookDeps,
  WebhookReader,
} from '@busbar/domain/webhooks';

export const TAG = 'Webhooks';

export interface WebhookRouteDeps
  extends Omit<ManageWebhookDeps, 'feed' | 'sites' | 'webhooks' | 'pushLink'>, ShowWebhookDeps {
  readonly webhooks: ManageWebhookDeps['webhooks'] & Pick<WebhookReader, 'listOf'>;
  readonly feed: FeedReader;
  readonly sites: ManageWebhookDeps['sites'] & ShowWebhookDeps['sites'];
  readonly deliveryLog: Pick<DeliveryLog, 'list'>;
  readonly deadDeliveries: Pick<DeadDeliveries, 'count' | 'list'>;
  readonly pushLink: PushLink;
}
