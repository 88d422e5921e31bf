// How many events of the feed a webhook has not been delivered yet. Reads a bounded number of pages.
import type { EventName, FeedEvent } from '@busbar/contracts';
import { streamCount, type FeedIdentity } from '../feed/feed-cursor';
import { matchesFeedFilter, type FeedFilter } from '../feed/feed-filter';
import type { FeedPage, FeedReader } from '../feed/feed-store';
import type { Timestamp } from '../timestamp';
import type { SiteReader } from '../sites/site';
import { withSubsites } from '../sites/site-tree';
import type { Webhook } from './webhook';
import type { DeliveryProgress, EventPlace, WebhookStanding } from './webhook-standing';
import { webhookEventTypes } from './webhook-types';

export interface CountWaitingDeps {
  readonly feed: Pick<FeedReader, 'identity' | 'firstPage' | 'lastPage' | 'pagesAfter'>;
  readonly sites: Pick<SiteReader, 'childIds'>;
}

/** Of a count: a greater one ends there. */
export const MAX_WAITING = 10_000;
/** Pages of the feed that the counts of one request read. */
const MAX_PAGES = 200;
const PAGES_AT_A_TIME = 10;
const NONE: Waiting = { count: 0, oldestAt: null };

export interface CountedWebhook {
  readonly webhook: Webhook;
  readonly standing: WebhookStanding | undefined;
}

export interface Waiting {
  /** At most `MAX_WAITING`. */
  readonly count: number;
  /**
   * When the oldest of them happened, or was written where a clock that is behind says earlier: `placeAt` of it is before all of them.
   * Null: none waits, or the count ended before the last page.
   */
  readonly oldestAt: Timestamp | null;
}

/** Counts for webhooks of one client, which share the pages that are read. In their order. */
export async function countWaiting(
  deps: CountWaitingDeps,
  clientId: string,
  webhooks: readonly CountedWebhook[],
): Promise<readonly Waiting[]> {
  const identity = await deps.feed.identity();
  if (identity === undefined || webhooks.length === 0) return webhooks.map(() => NONE);
  const partitions = Array.from({ length: streamCount(identity) }, (_, partition) => partition);
  const lastPages = await Promise.all(partitions.map((partition) => deps.feed.lastPage({ clientId, partition })));
  const counts: Waiting[] = [];
  for (const { webhook, standing } of webhooks) {
    const count = createCount({
      filter: await filterOf(deps, webhook),
      ...pendingOf(webhook, standing, identity),
      maxPages: Math.ceil(MAX_PAGES / webhooks.length),
    });
    for (const [partition, last] of lastPages.entries()) await countIn(deps, count, { clientId, partition, last });
    counts.push(count.result());
  }
  return counts;
}

async function countIn(
  { feed }: CountWaitingDeps,
  count: Count,
  { last, ...stream }: { readonly clientId: string; readonly partition: number; readonly last: number },
): Promise<void> {
  let page = count.begin(stream.partition);
  if (page >= last || count.isFull()) return;
  page = Math.max(page, (await feed.firstPage(stream)) - 1);
  while (page < last && !count.isFull()) {
    const pages = await feed.pagesAfter({ ...stream, page }, PAGES_AT_A_TIME);
    // A missing page ends reading.
    if (pages.length === 0) return;
    for (const each of pages) count.add(each);
    page += pages.length;
  }
}

interface Pending {
  readonly progress: DeliveryProgress;
  /** Of a replay with an end: events after it are not sent again where this had them done. */
  readonly replay: { readonly until: string; readonly progress: DeliveryProgress } | null;
}

/** What is not done: after the standing, or where push has not seen it yet, after the place where the webhook begins. */
function pendingOf({ begin }: Webhook, standing: WebhookStanding | undefined, identity: FeedIdentity): Pending {
  const { generation } = identity;
  const known = standing?.generation === generation ? standing : undefined;
  if (known?.beginId === begin.id) return { progress: known.progress, replay: known.replay };
  const empty = { above: [], deferred: [] };
  if (begin.generation !== generation) {
    // After a restore the deliveries begin at the end of the restored feed.
    const pages = Array.from({ length: streamCount(identity) }, () => Infinity);
    return { progress: { pages, taken: pages, ...empty }, replay: null };
  }
  const { pages, next, taken } = begin.position;
  const progress = { pages, taken: pages.map((_, partition) => (partition === next ? taken : 0)), ...empty };
  const replay =
    begin.until === undefined || known === undefined ? null : { until: begin.until, progress: known.progress };
  return { progress, replay };
}

type Count = ReturnType<typeof createCount>;

function createCount({
  filter,
  progress,
  replay,
  maxPages,
}: Pending & { readonly filter: FeedFilter; readonly maxPages: number }) {
  const isPending = pendingIn(progress);
  const wasPending = replay === null ? undefined : pendingIn(replay.progress);
  let pagesLeft = maxPages;
  let total = 0;
  let oldestAt: Timestamp | null = null;

  function isWaiting(event: FeedEvent, place: EventPlace): boolean {
    if (!matchesFeedFilter(filter, event) || !isPending(event, place)) return false;
    if (replay === null || wasPending === undefined || event.timestamp <= replay.until) return true;
    return wasPending(event, place);
  }

  const isFull = () => pagesLeft <= 0 || total >= MAX_WAITING;

  return {
    result: (): Waiting => ({ count: Math.min(total, MAX_WAITING), oldestAt: isFull() ? null : oldestAt }),
    isFull,
    /** The page behind which events may be waiting. */
    begin(partition: number): number {
      const deferred = progress.deferred.filter((each) => each.partition === partition).map(({ page }) => page - 1);
      return Math.min(progress.pages[partition] ?? 0, ...deferred);
    },
    add({ partition, page, at, events }: FeedPage) {
      if (pagesLeft <= 0) return;
      pagesLeft -= 1;
      for (const [index, event] of (JSON.parse(events) as FeedEvent[]).entries()) {
        if (!isWaiting(event, { partition, page, index })) continue;
        total += 1;
        // Pages of different partitions, and reports of a charger's own past, are in no order of time.
        const since = at < event.timestamp ? at : event.timestamp;
        if (oldestAt === null || since < oldestAt) oldestAt = since;
      }
    },
  };
}

/** Returns whether an event of a place is not done by this progress. */
function pendingIn({ pages, taken, above, deferred }: DeliveryProgress) {
  const doneAbove = new Set(above.map(keyOf));
  return (event: FeedEvent, place: EventPlace): boolean => {
    const done = pages[place.partition] ?? 0;
    const isDone = place.page <= done || (place.page === done + 1 && place.index < (taken[place.partition] ?? 0));
    if (!isDone) return !doneAbove.has(keyOf(place));
    return deferred.some((queue) => {
      if (queue.partition !== place.partition || queue.chargerId !== event.chargerId) return false;
      return queue.eventId === event.id || isBehind(place, queue);
    });
  };
}

function isBehind(place: EventPlace, { page, index, chargerId }: EventPlace & { readonly chargerId: string | null }) {
  if (chargerId === null) return false;
  return place.page > page || (place.page === page && place.index >= index);
}

function keyOf({ partition, page, index }: EventPlace): string {
  return `${String(partition)}/${String(page)}/${String(index)}`;
}

async function filterOf({ sites }: CountWaitingDeps, webhook: Webhook): Promise<FeedFilter> {
  const { clientId, chargerIds, siteIds, includeSubsites } = webhook;
  const types: ReadonlySet<EventName> = webhookEventTypes(webhook);
  const all = siteIds === null || !includeSubsites ? siteIds : await withSubsites(sites, clientId, siteIds);
  return {
    types,
    chargerIds: chargerIds === null ? undefined : new Set(chargerIds),
    siteIds: all === null ? undefined : new Set(all),
  };
}
