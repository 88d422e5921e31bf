// The write of charger's records after a fold: the parts that it replaced, by compare-and-set, and the pages of the feed with the
// events of these changes.
import type { Charger } from '@busbar/domain/chargers';
import { feedPageKey, feedStreamKey, type FeedPage } from '@busbar/domain/feed';
import type { ChargerChange } from '@busbar/domain/reports';
import {
  and,
  eq,
  type BulkOperation,
  type Collection,
  type Document,
  type Json,
  type Store,
  type Update,
} from '../../port';
import { asJson } from '../as-json';
import { changedAt, type Now } from '../change-time';
import { collections } from '../collections';

interface ChargerWrites {
  readonly changes: readonly ChargerChange[];
  readonly pages: readonly FeedPage[];
}

/**
 * Returns whether every document was unchanged since its read, and no page of these numbers existed. With pages, a store that orders
 * writes changes nothing otherwise.
 */
export async function saveChargers(store: Store, { changes, pages }: ChargerWrites, now: Now): Promise<boolean> {
  if (changes.length + pages.length === 0) return true;
  const chargers = store.collection(collections.chargers);
  const changed = changedAt(now());
  const operations: BulkOperation<Charger & Document>[] = changes.map(({ from, to }) => ({
    filter: and(eq('_id', from.chargerId), eq('incarnationId', from.incarnationId), eq('revision', from.revision)),
    update: difference(from, to, changed),
  }));
  return saveWithPages(store, chargers, { operations, pages });
}

/**
 * Updates documents, and inserts the pages of the feed that they name. Returns whether every update matched, and no page of these
 * numbers existed.
 */
export async function saveWithPages<T extends Document>(
  store: Store,
  collection: Collection<T>,
  { operations, pages }: { readonly operations: readonly BulkOperation<T>[]; readonly pages: readonly FeedPage[] },
): Promise<boolean> {
  if (pages.length === 0) return (await collection.bulk(operations)).matched === operations.length;
  // Elsewhere each page of a stream is stored before the next one, or a process that is killed could leave a gap.
  const [together, later] = store.ordersWrites ? [pages, []] : withFirstOfEach(pages);
  const whenAllMatched = { into: collections.feedPages, documents: together.map(pageDocument) };
  if ((await collection.bulk(operations, { whenAllMatched })).followed !== together.length) return false;
  for (const page of later) {
    if (!(await store.collection(collections.feedPages).insert(pageDocument(page))).inserted) return false;
  }
  return true;
}

function pageDocument(page: FeedPage) {
  return { _id: feedPageKey(page), ...page };
}

/** The first page of each stream, and the others, in order. */
function withFirstOfEach(pages: readonly FeedPage[]): readonly [FeedPage[], FeedPage[]] {
  const streams = new Set<string>();
  const [first, later]: [FeedPage[], FeedPage[]] = [[], []];
  for (const page of pages) {
    const stream = feedStreamKey(page);
    (streams.has(stream) ? later : first).push(page);
    streams.add(stream);
  }
  return [first, later];
}

/** Reported fields that the record does not show, or that change with every message. */
const UNCOUNTED: ReadonlySet<string> = new Set<keyof Charger['reported']>([
  'lastSeen',
  'lastMessage',
  'lastMessageBytes',
  'lastPosition',
  'deviations',
  'awaitedStarts',
  'awaitedStops',
  'starts',
  'reports',
  'changedValues',
  'recentMessages',
  'inventoryOf',
]);

/**
 * The subtrees that a fold replaced. Folds never change objects in place, so an identical object is an unchanged part.
 * `changed` is added where the record shows a difference.
 */
function difference(from: Charger, to: Charger, changed: Pick<Update, 'max'>): Update {
  const set: Record<string, Json> = { revision: to.revision };
  let isShown = hasNewDeviation(from, to);
  if (from.connection !== to.connection) {
    set['connection'] = asJson(to.connection);
    isShown = true;
  }
  if (from.applied !== to.applied) set['applied'] = asJson(to.applied);
  if (from.outbox !== to.outbox) set['outbox'] = asJson(to.outbox);
  // The one part of the registration that reports change: pending keys (rule 10).
  const { authentication } = to.registered;
  if (from.registered.authentication !== authentication) set['registered.authentication'] = asJson(authentication);
  if (from.reported !== to.reported) {
    // Without a list of pairs: this runs for every message.
    for (const name in to.reported) {
      const value = to.reported[name as keyof Charger['reported']];
      if (from.reported[name as keyof Charger['reported']] === value) continue;
      set[`reported.${name}`] = asJson(value);
      isShown ||= !UNCOUNTED.has(name);
    }
  }
  return isShown ? { set, ...changed } : { set };
}

/** A new kind counts. Its count and time, which may change with every message, do not. */
function hasNewDeviation({ reported: before }: Charger, { reported: after }: Charger): boolean {
  if (before.deviations === after.deviations) return false;
  return Object.keys(before.deviations).length < Object.keys(after.deviations).length;
}
