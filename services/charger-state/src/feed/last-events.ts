// The last events of deleted chargers. A deletion leaves a row with the record (`DeletedCharger`), and a nudge makes the owner of the
// partition write the events that are not in the feed yet, then the ends of its sessions, `charger.disconnected` and `charger.deleted`, and
// remove the row.
// Each step may be repeated: the row's outbox names its page, as that of a record does.
import type { Charger } from '@busbar/domain/chargers';
import type { DeletedCharger, DeletedChargers } from '@busbar/domain/feed';
import type { Session, SessionReader } from '@busbar/domain/sessions';
import type { BatchFeed } from './batch-feed';
import { emitDeleted } from './connection-events';

export interface LastEventsDeps {
  readonly feed: BatchFeed;
  readonly deleted: DeletedChargers;
  readonly sessions: Pick<SessionReader, 'findByTransactions'>;
}

/**
 * Writes the last events of those of these incarnations that were deleted. `isStored`: whether a record has this incarnation.
 * `conflict`: another writer was faster. Nothing is lost, and the call is to be repeated.
 */
export async function writeLastEvents(
  incarnationIds: readonly string[],
  isStored: (incarnationId: string) => boolean,
  deps: LastEventsDeps,
): Promise<'written' | 'conflict'> {
  for (const row of await deps.deleted.find(incarnationIds)) {
    if (!row.isLast && isStored(row.charger.incarnationId)) await deps.deleted.withdraw(row);
    else if ((await finish(row, deps)) === 'conflict') return 'conflict';
  }
  return 'written';
}

async function finish(row: DeletedCharger, deps: LastEventsDeps): Promise<'written' | 'conflict'> {
  const { deleted } = deps;
  const { owner } = deps.feed;
  const recovered = await owner.recover([row.charger], (changes, pages) =>
    deleted.write(
      changes.map(({ from, to }) => ({ from: { ...row, charger: from }, to: { ...row, charger: to } })),
      pages,
    ),
  );
  if (recovered === 'conflict') return 'conflict';
  const [charger = row.charger] = recovered;
  if (!row.isLast && (await write({ ...row, charger }, deps)) === 'conflict') return 'conflict';
  await deleted.remove([row]);
  return 'written';
}

async function write(row: DeletedCharger, deps: LastEventsDeps): Promise<'written' | 'conflict'> {
  const { feed, deleted } = deps;
  const { owner } = feed;
  const { charger } = row;
  await feed.readSites([charger]);
  const events = feed.createEvents();
  events.takeAppended(charger);
  emitDeleted(events.emit, charger, await shownSessions(charger, deps));
  events.accept(charger, row.deletedAt);
  const { pages, outboxes } = await owner.plan(new Map([[charger.chargerId, charger]]), events.byCharger);
  const { outbox = {} } = { outbox: outboxes.get(charger.chargerId) };
  const to: Charger = { ...charger, outbox, revision: charger.revision + 1 };
  if ((await deleted.write([{ from: row, to: { ...row, charger: to, isLast: true } }], pages)) === 'conflict') {
    return 'conflict';
  }
  owner.stored(pages);
  feed.onStored(pages, events);
  return 'written';
}

/** Not those that were refused: nothing was given up. */
async function shownSessions({ reported }: Charger, { sessions }: LastEventsDeps): Promise<readonly Session[]> {
  const shown = Object.values(reported.ongoing).filter(({ refused }) => refused !== true);
  if (shown.length === 0) return [];
  const ids = new Set(shown.map(({ sessionId }) => sessionId));
  const found = await sessions.findByTransactions(shown.map(({ transactionId }) => transactionId));
  return found.filter(({ sessionId }) => ids.has(sessionId));
}
