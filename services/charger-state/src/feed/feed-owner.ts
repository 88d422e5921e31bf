// The feed as the owner of one partition writes it. An event is in the feed when the page that its record's outbox names has
// it, also where another owner wrote that page. A page's number is a compare-and-set: two owners never insert the same one.
import { LRUCache } from 'lru-cache';
import type { Clock } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import {
  feedPageKey,
  lastSequence,
  type FeedPage,
  type FeedPages,
  type Outbox,
  type OutboxItems,
} from '@busbar/domain/feed';
import { noRows, type ChargerChange, type ReportStore } from '@busbar/domain/reports';
import { assemblePages, type PageEntry } from './assemble-pages';
import type { NewEvents } from './batch-events';

export interface FeedOwnerDeps {
  readonly partition: number;
  readonly pages: FeedPages;
  readonly reports: Pick<ReportStore, 'write' | 'commitsPages'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface PlannedEvents {
  readonly pages: readonly FeedPage[];
  /** The outbox of each charger with new events, by charger id. */
  readonly outboxes: ReadonlyMap<string, Outbox>;
}

/** Stores records whose outbox alone changed, together with the pages that the outboxes name. */
export type WriteOutboxes = (
  changes: readonly ChargerChange[],
  pages: readonly FeedPage[],
) => Promise<'written' | 'conflict'>;

export interface FeedOwner {
  /**
   * Inserts the events that records have and the feed does not: a process was killed, or lost its connection to the store,
   * after the record was written. Nothing to do where the store commits pages with records. Returns the records as they are stored now; `conflict` where another writer was faster.
   * `write`: where the records are stored; by default as records of chargers.
   */
  recover(loaded: readonly Charger[], write?: WriteOutboxes): Promise<readonly Charger[] | 'conflict'>;
  /** The pages of new events, which must be written together with their outboxes. `charger`: the records before. */
  plan(chargers: ReadonlyMap<string, Charger>, events: ReadonlyMap<string, NewEvents>): Promise<PlannedEvents>;
  /** The pages are in the store. */
  stored(pages: readonly FeedPage[]): void;
  /** A write failed or met another owner's: the numbers of pages are read again. */
  forget(): void;
}

/** Clients with chargers in one partition whose last page is remembered. */
const MAX_CLIENTS = 10_000;
/** The plan of a batch without events. */
export const NO_PAGES: PlannedEvents = { pages: [], outboxes: new Map() };

export function createFeedOwner({ partition, pages, reports, clock }: FeedOwnerDeps): FeedOwner {
  /** By client: the last page that exists, as far as this owner knows. */
  const last = new LRUCache<string, number>({ max: MAX_CLIENTS });

  async function lastPageOf(clientId: string, atLeast = 0): Promise<number> {
    const known = last.get(clientId);
    if (known !== undefined && known >= atLeast) return known;
    const read = await pages.lastPage({ clientId, partition });
    last.set(clientId, read);
    return read;
  }

  /** The records whose events are not in the feed. */
  async function outOf(chargers: readonly WithOutbox[]): Promise<readonly WithOutbox[]> {
    // Before the pages: one that is missing then, and has a lower number, was deleted by age and had the events.
    const lastPages = new Map<string, number>();
    for (const { clientId, outbox } of chargers) {
      lastPages.set(clientId, await lastPageOf(clientId, Math.max(outbox.page, lastPages.get(clientId) ?? 0)));
    }
    const keyOf = ({ clientId, outbox: { page } }: WithOutbox) => ({ clientId, partition, page });
    const named = new Map(chargers.map((charger) => [feedPageKey(keyOf(charger)), keyOf(charger)]));
    const highest = await pages.highestIn([...named.values()]);
    return chargers.filter((charger) => {
      const { clientId, incarnationId, outbox } = charger;
      const inPage = highest.get(feedPageKey(keyOf(charger)));
      if (inPage === undefined) return outbox.page > (lastPages.get(clientId) ?? 0);
      return (inPage[incarnationId] ?? 0) < lastSequence(outbox);
    });
  }

  async function pagesOf(entriesByClient: ReadonlyMap<string, readonly PageEntry[]>) {
    const at = toTimestamp(clock.now());
    const all: FeedPage[] = [];
    const pageOf = new Map<string, number>();
    for (const [clientId, entries] of entriesByClient) {
      const made = assemblePages({ clientId, partition }, { entries, last: await lastPageOf(clientId), at });
      all.push(...made.pages);
      for (const [chargerId, page] of made.pageOf) pageOf.set(chargerId, page);
    }
    return { pages: all, pageOf };
  }

  const owner: FeedOwner = {
    async recover(loaded, write = (changes, made) => reports.write(noRows(), changes, made)) {
      const chargers = loaded.filter(hasOutbox);
      if (chargers.length === 0) return loaded;
      const out = await outOf(chargers);
      if (out.length === 0) return loaded;
      const made = await pagesOf(byClient(out.map((charger) => ({ charger, events: charger.outbox }))));
      const renamed = new Map<string, ChargerChange>();
      for (const from of out) {
        const page = made.pageOf.get(from.chargerId) ?? from.outbox.page;
        if (page === from.outbox.page) continue;
        const to = { ...from, outbox: { ...from.outbox, page }, revision: from.revision + 1 };
        renamed.set(from.chargerId, { from, to });
      }
      if ((await write([...renamed.values()], made.pages)) === 'conflict') return 'conflict';
      owner.stored(made.pages);
      return loaded.map((charger) => renamed.get(charger.chargerId)?.to ?? charger);
    },
    async plan(chargers, events) {
      if (events.size === 0) return NO_PAGES;
      const entries: Entry[] = [];
      for (const [chargerId, each] of events) {
        const charger = chargers.get(chargerId);
        if (charger !== undefined) entries.push({ charger, events: each });
      }
      const { pages: made, pageOf } = await pagesOf(byClient(entries));
      const outboxes = new Map<string, Outbox>();
      for (const [chargerId, { items, first, next, replayed }] of events) {
        const page = pageOf.get(chargerId) ?? 0;
        const outbox = reports.commitsPages ? { page, next } : { page, items, first, next };
        outboxes.set(chargerId, replayed === undefined ? outbox : { ...outbox, replayed });
      }
      return { pages: made, outboxes };
    },
    stored(inserted) {
      for (const { clientId, page } of inserted) last.set(clientId, Math.max(page, last.get(clientId) ?? 0));
    },
    forget: () => last.clear(),
  };
  return owner;
}

type WithOutbox = Charger & { readonly outbox: Outbox & OutboxItems };

interface Entry {
  readonly charger: Charger;
  readonly events: NewEvents;
}

/** Without items no event was numbered yet, or its page was committed with the record. */
function hasOutbox(charger: Charger): charger is WithOutbox {
  return charger.outbox?.items !== undefined;
}

function byClient(entries: readonly Entry[]): ReadonlyMap<string, readonly PageEntry[]> {
  const clients = new Map<string, PageEntry[]>();
  for (const { charger, events } of entries) {
    const { clientId, chargerId, incarnationId } = charger;
    const { items, first, next } = events;
    const entry = { chargerId, incarnationId, items, first, next };
    const list = clients.get(clientId);
    if (list) list.push(entry);
    else clients.set(clientId, [entry]);
  }
  return clients;
}
