// Puts the events of chargers into pages. The events of one charger's outbox are never divided over pages, so that one number
// says whether a page has them.
import { type FeedPage, type FeedStream } from '@busbar/domain/feed';
import type { Timestamp } from '@busbar/domain';
import type { NewEvents } from './batch-events';

const MAX_EVENTS = 500;
/** Counts characters of JSON, nearly all of which are ASCII. */
const MAX_CHARACTERS = 1_048_576;

export interface PageEntry extends NewEvents {
  readonly chargerId: string;
  readonly incarnationId: string;
}

export interface Assembled {
  readonly pages: readonly FeedPage[];
  /** The page of each charger's events, by charger id. */
  readonly pageOf: ReadonlyMap<string, number>;
}

/** The pages behind `last`, in order. */
export function assemblePages(
  stream: FeedStream,
  { entries, last, at }: { readonly entries: readonly PageEntry[]; readonly last: number; readonly at: Timestamp },
): Assembled {
  const pages: FeedPage[] = [];
  const pageOf = new Map<string, number>();
  let page = last + 1;
  let events = '';
  let highest = '';
  let count = 0;
  const close = (): void => {
    if (count > 0) pages.push({ ...stream, page, at, highest: `{${highest}}`, count, events: `[${events}]` });
    page += 1;
    events = '';
    highest = '';
    count = 0;
  };
  for (const { chargerId, incarnationId, items, first, next } of entries) {
    const added = next - first;
    if (count > 0 && (count + added > MAX_EVENTS || events.length + items.length > MAX_CHARACTERS)) close();
    const comma = count === 0 ? '' : ',';
    events += comma + items;
    highest += `${comma}"${incarnationId}":${String(next - 1)}`;
    count += added;
    pageOf.set(chargerId, page);
  }
  close();
  return { pages, pageOf };
}
