// Delivers a part of the feed again: from a cursor or a time on.
import { createId, type Clock } from '@busbar/core';
import { openClientFeed, type ClientFeed, type PageReader } from '../feed/client-feed';
import type { FeedPosition } from '../feed/feed-cursor';
import { placeAt, refuseDeleted } from '../feed/feed-places';
import type { FeedReader } from '../feed/feed-store';
import { invalidInput } from '../invalid-input';
import { retryOnConflict } from '../retry-on-conflict';
import { toTimestamp, type Timestamp } from '../timestamp';
import { CONTENDED, type ManageWebhookDeps } from './manage-webhooks';
import { findWebhook, type OwnedWebhook } from './read-webhooks';
import { refuseDisabled } from './webhook-status';

export interface ReplayDeps extends Pick<ManageWebhookDeps, 'webhooks' | 'webhookStandings' | 'pushLink'> {
  readonly feed: PageReader & Pick<FeedReader, 'prunedBefore' | 'writtenAt'>;
  readonly clock: Clock;
}

export interface Replay {
  /** A cursor of the feed, or a timestamp. */
  readonly after: string;
  /** Events after it that were delivered are not sent again. */
  readonly to?: Timestamp | undefined;
}

/** RFC 3339. Cursors have no colon. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Begins the deliveries there again, and returns that place as a cursor. Throws `not_found`, `webhook_disabled`, `invalid_request`, and
 * `cursor_expired` where events of that place were deleted by age.
 */
export async function replayWebhook(deps: ReplayDeps, owned: OwnedWebhook, { after, to }: Replay): Promise<string> {
  const now = deps.clock.now();
  const from = timeOf(after);
  if (from !== undefined && from > toTimestamp(now)) throw invalidTime('after', 'must not be in the future');
  if (from !== undefined && to !== undefined && to <= from) throw invalidTime('to', 'must be later than after');
  const found = await findWebhook(deps, owned);
  refuseDisabled(found.webhook, found.standing);
  const feed = await openClientFeed(deps.feed, owned.clientId);
  const position = await positionOf(deps, feed, { after, from });
  const begin = {
    id: createId(),
    generation: feed.identity.generation,
    position,
    ...(to === undefined ? {} : { until: to }),
  };
  await retryOnConflict(CONTENDED, async () => {
    const { webhook, standing } = await findWebhook(deps, owned);
    refuseDisabled(webhook, standing);
    const next = { ...webhook, begin, revision: webhook.revision + 1, updatedAt: toTimestamp(now) };
    return (await deps.webhooks.replace(next, webhook.revision)) ? next : undefined;
  });
  deps.pushLink.announce(owned.clientId, owned.webhookId);
  return feed.format(position);
}

async function positionOf(
  deps: ReplayDeps,
  feed: ClientFeed,
  { after, from }: { readonly after: string; readonly from: Timestamp | undefined },
): Promise<FeedPosition> {
  if (from !== undefined) return placeAt(deps.feed, feed, from);
  const position = await feed.parse(after, 'after');
  await refuseDeleted(deps.feed, feed, position);
  return position;
}

/** Undefined for a cursor. */
function timeOf(after: string): Timestamp | undefined {
  if (!after.includes(':')) return undefined;
  if (!TIMESTAMP.test(after) || Number.isNaN(Date.parse(after))) {
    throw invalidTime('after', 'must be a cursor or an RFC 3339 timestamp');
  }
  return toTimestamp(new Date(after));
}

function invalidTime(field: string, message: string) {
  return invalidInput(`${field} ${message}.`, { field, message });
}
