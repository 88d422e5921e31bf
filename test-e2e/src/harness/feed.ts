// Reads the feed of events to its end, as docs/events.md says: a page may have few events, or none, while there are more.
import type { ReceivedEvent } from './receiver';

type Get = (path: string) => Promise<{ readonly status: number; readonly json: unknown }>;

/** `filter`: such as `chargerIds=A`. Rejects where a page is not there. */
export async function readFeed(get: Get, filter: string): Promise<readonly ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  let next = { cursor: 'oldest', hasMore: true };
  while (next.hasMore) {
    const { status, json } = await get(`/events?${filter}&limit=1000&after=${next.cursor}`);
    if (status !== 200) throw new Error(`a page of events: ${String(status)}`);
    const page = json as typeof next & { readonly items: readonly ReceivedEvent[] };
    events.push(...page.items);
    next = page;
  }
  return events;
}
