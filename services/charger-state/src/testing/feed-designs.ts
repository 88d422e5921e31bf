// Where owners store pages of the feed: as the service does, and in three ways that are known to be wrong. The model test must
// find them.
import type { ReportEnvelope } from '@busbar/contracts';
import { feedPageKey, type FeedPage, type FeedPageId, type FeedPages } from '@busbar/domain/feed';
import type { ChargerChange } from '@busbar/domain/reports';
import type { MemoryStores } from './memory-stores';

/** The feed as one replica sees it while it applies a batch. */
export interface ReplicaFeed {
  readonly pages: FeedPages;
  /** False where the number is taken. */
  write(page: FeedPage): boolean;
}

/** Stores changes of records and their pages together, as one call. */
export type Commit = (
  stores: MemoryStores,
  changes: readonly ChargerChange[],
  pages: readonly FeedPage[],
) => 'written' | 'conflict';

export interface FeedDesign {
  /** `term`: new for each start of a replica. `batch`: what it applies now. */
  ofReplica(term: number, batch: () => readonly ReportEnvelope[]): ReplicaFeed;
  /** As readers read it. */
  inOrder(): readonly FeedPage[];
  /** Present where records leave the text of events out, since pages are committed with them. Absent: each write by itself. */
  readonly commit?: Commit;
}

/** A page's number is a compare-and-set. Records have the text of their events. */
export function createNumberedPages(): FeedDesign {
  const pages = new Map<string, FeedPage>();
  const inOrder = (): readonly FeedPage[] => sorted([...pages.values()]);
  return {
    inOrder,
    ofReplica: () => ({
      pages: readsOf(inOrder),
      write(page) {
        const isFree = !pages.has(feedPageKey(page));
        if (isFree) pages.set(feedPageKey(page), page);
        return isFree;
      },
    }),
  };
}

/** Records and pages are one commit, which changes nothing where a record or a number is taken. */
export function createCommittedPages(): FeedDesign {
  const numbered = createNumberedPages();
  return {
    ...numbered,
    commit(stores, changes, pages) {
      const existing = new Set(numbered.inOrder().map(feedPageKey));
      if (pages.some((page) => existing.has(feedPageKey(page))) || !stores.areUnchanged(changes)) return 'conflict';
      return withPages(numbered, stores.writeDocuments(changes), pages);
    },
  };
}

/** Wrong: the text of events is left out, and a change stays where its page cannot be inserted. */
export function createPagesBesideChanges(): FeedDesign {
  const numbered = createNumberedPages();
  return {
    ...numbered,
    commit: (stores, changes, pages) => withPages(numbered, stores.writeDocuments(changes), pages),
  };
}

function withPages({ ofReplica }: FeedDesign, changed: ReturnType<Commit>, pages: readonly FeedPage[]) {
  const { write } = ofReplica(0, () => []);
  return changed === 'written' && pages.every(write) ? 'written' : 'conflict';
}

/** Wrong: each owner has its own page of a number. */
export function createPagesByTerm(): FeedDesign {
  const pages = new Map<string, FeedPage>();
  const inOrder = (): readonly FeedPage[] => sorted([...pages.values()]);
  return {
    inOrder,
    ofReplica: (term) => ({
      pages: readsOf(inOrder),
      write(page) {
        pages.set(`${feedPageKey(page)}@${String(term)}`, page);
        return true;
      },
    }),
  };
}

/** Wrong: events are in the feed when their batch is, known by its first message. */
export function createPagesByBatch(): FeedDesign {
  const numbered = createNumberedPages();
  const batches = new Set<string>();
  return {
    inOrder: numbered.inOrder,
    ofReplica(term, batch) {
      const { pages, write } = numbered.ofReplica(term, batch);
      const batchId = (): string => batch()[0]?.id ?? '';
      return {
        pages: {
          lastPage: pages.lastPage,
          async highestIn(ids) {
            const isIn = batches.has(batchId());
            const found = await pages.highestIn(ids);
            return new Map([...found].map(([key, highest]) => [key, isIn ? all(highest) : {}]));
          },
        },
        write(page) {
          const isWritten = write(page);
          if (isWritten) batches.add(batchId());
          return isWritten;
        },
      };
    },
  };
}

function readsOf(inOrder: () => readonly FeedPage[]): FeedPages {
  return {
    lastPage: () => Promise.resolve(Math.max(0, ...inOrder().map(({ page }) => page))),
    highestIn(ids) {
      const found = new Map<string, Record<string, number>>();
      for (const page of inOrder().filter(isOneOf(ids))) {
        const highest = found.get(feedPageKey(page)) ?? {};
        for (const [incarnation, sequence] of Object.entries(read(page))) {
          highest[incarnation] = Math.max(sequence, highest[incarnation] ?? 0);
        }
        found.set(feedPageKey(page), highest);
      }
      return Promise.resolve(found);
    },
  };
}

function isOneOf(ids: readonly FeedPageId[]): (page: FeedPage) => boolean {
  const keys = new Set(ids.map(feedPageKey));
  return (page) => keys.has(feedPageKey(page));
}

function all(highest: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.keys(highest).map((incarnation) => [incarnation, Number.MAX_SAFE_INTEGER]));
}

function read({ highest }: FeedPage): Record<string, number> {
  return JSON.parse(highest) as Record<string, number>;
}

function sorted(pages: readonly FeedPage[]): readonly FeedPage[] {
  return [...pages].sort((a, b) => a.page - b.page);
}
