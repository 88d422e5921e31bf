// Chargers with appended events that the owner of their partition has not numbered yet.
import type { Timestamp } from '@busbar/domain';
import type { WaitingCharger, WaitingChargers } from '@busbar/domain/feed';
import { and, eq, gt, lt, type Filter, type Store } from '../../port';
import { collections } from '../collections';

/** Read at a time. */
const PAGE = 1_000;

export function createWaitingChargers(store: Store): WaitingChargers {
  return {
    before: (at: Timestamp, limit) => pageOf(store, lt('outbox.waiting', at), ['outbox.waiting', '_id'], limit),
  };
}

/** The chargers whose last event was appended at that time and that match, by id, some at a time. */
export async function* eachWaiting(store: Store, at: Timestamp, matching: Filter): AsyncGenerator<WaitingCharger[]> {
  let after = '';
  for (;;) {
    const page = await pageOf(store, and(eq('outbox.waiting', at), gt('_id', after), matching), ['_id'], PAGE);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.chargerId;
  }
}

async function pageOf(
  store: Store,
  filter: Filter,
  order: readonly string[],
  limit: number,
): Promise<WaitingCharger[]> {
  const sort = order.map((path) => [path, 1] as const);
  const chargers = store.collection(collections.chargers);
  const found = await chargers.findValues(filter, ['_id', 'incarnationId', 'outbox.waiting'], { sort, limit });
  return found.map(([chargerId, incarnationId, waiting]) => ({
    chargerId: String(chargerId),
    incarnationId: String(incarnationId),
    at: String(waiting),
  }));
}
