// Where the deliveries of a webhook continue: from its stored standing, or where its owner or a restore lets them begin anew. Pure.
import { streamCount, type FeedIdentity, type FeedPosition } from '@busbar/domain/feed';
import { HEALTHY, UNLIMITED, type DeliveryProgress, type Webhook, type WebhookStanding } from '@busbar/domain/webhooks';

export interface OpenStandingOptions {
  readonly stored: WebhookStanding | undefined;
  readonly identity: FeedIdentity;
  /** The last page of each stream. */
  readonly newest: readonly number[];
  readonly now: Date;
}

/** The revision is that of the stored standing; 0 without one. */
export function openStanding(
  webhook: Webhook,
  { stored, identity, newest, now }: OpenStandingOptions,
): WebhookStanding {
  const { begin, activation, webhookId, clientId } = webhook;
  const { generation } = identity;
  const streams = streamCount(identity);
  const standing: WebhookStanding = stored ?? {
    webhookId,
    clientId,
    revision: 0,
    beginId: '',
    activation,
    generation: begin.generation,
    progress: progressAt({ pages: newest, next: 0, taken: 0 }, newest),
    replay: null,
    health: HEALTHY,
    lastDeliveryAt: null,
    gap: null,
    announced: 0,
    outbox: null,
  };
  const begun = standing.beginId === begin.id ? standing : beginAnew(standing, webhook, newest);
  const active = begun.activation < activation ? activate(begun, activation) : begun;
  if (active.generation === generation && active.progress.pages.length === streams) return active;
  // The feed was replaced: page numbers of before mean nothing.
  const from = active.gap?.from ?? active.lastDeliveryAt ?? webhook.createdAt;
  const progress = progressAt({ pages: newest, next: 0, taken: 0 }, newest);
  return { ...active, generation, progress, replay: null, gap: { from, to: now.toISOString() } };
}

function beginAnew(standing: WebhookStanding, { begin }: Webhook, newest: readonly number[]): WebhookStanding {
  const { id: beginId, generation, position, until } = begin;
  const isReplay = until !== undefined && standing.beginId !== '' && standing.generation === generation;
  const replay = isReplay ? { until, progress: standing.progress } : null;
  return { ...standing, beginId, generation, progress: progressAt(position, newest), replay, gap: null };
}

/** A standing that was disabled forgets why. */
function activate(standing: WebhookStanding, activation: number): WebhookStanding {
  const { lastSuccessMs } = standing.health;
  return { ...standing, activation, health: { ...HEALTHY, concurrency: UNLIMITED, lastSuccessMs } };
}

function progressAt({ pages, next, taken }: FeedPosition, newest: readonly number[]): DeliveryProgress {
  return {
    pages: newest.map((last, stream) => pages[stream] ?? last),
    taken: newest.map((_, stream) => (stream === next ? taken : 0)),
    above: [],
    deferred: [],
  };
}

/** Whether an event was done in this progress. */
export function isDone(
  { pages, taken, above, deferred }: DeliveryProgress,
  event: {
    readonly partition: number;
    readonly page: number;
    readonly index: number;
    readonly chargerId: string | null;
  },
  ordering: Webhook['ordering'],
): boolean {
  const { partition, page, index } = event;
  const isAt = (place: { readonly partition: number; readonly page: number; readonly index: number }): boolean =>
    place.partition === partition && place.page === page && place.index === index;
  const last = pages[partition] ?? 0;
  const isBelow = page <= last || (page === last + 1 && index < (taken[partition] ?? 0));
  if (!isBelow && !above.some(isAt)) return false;
  return !deferred.some((queue) => {
    if (ordering === 'none' || queue.chargerId !== event.chargerId) return isAt(queue);
    return queue.partition === partition && (page > queue.page || (page === queue.page && index >= queue.index));
  });
}

/** Whether nothing behind this progress was done in the other one. */
export function hasPassed(progress: DeliveryProgress, other: DeliveryProgress): boolean {
  const touched = (stream: number): number =>
    Math.max(
      (other.pages[stream] ?? 0) + 1,
      ...other.above.filter(({ partition }) => partition === stream).map(({ page }) => page),
    );
  return progress.pages.every((page, stream) => page >= touched(stream));
}
