// What a request for events asks for, and a page of them.
import type { FeedEvent } from '@busbar/contracts';
import type { ApiKey } from '../clients/api-key';
import type { SiteReader } from '../sites/site';
import { withSubsites } from '../sites/site-tree';
import { invalidInput } from '../invalid-input';
import { openClientFeed, type ClientFeed, type PageReader } from './client-feed';
import type { FeedPosition } from './feed-cursor';
import { eventTypesFor, matchesFeedFilter } from './feed-filter';
import { placeOf } from './feed-places';
import { newestEvents, type NewestEvents, type NewestOptions } from './newest-events';

export interface EventQuery {
  readonly types?: readonly string[] | undefined;
  readonly chargerIds?: readonly string[] | undefined;
  readonly siteIds?: readonly number[] | undefined;
  /** Also the sites below the named ones. */
  readonly includeSubsites?: boolean | undefined;
}

export interface FollowEventsDeps {
  readonly feed: PageReader;
  readonly sites: Pick<SiteReader, 'childIds'>;
}

/** A client's feed with a filter and a place to begin. */
export interface FollowedEvents {
  readonly feed: ClientFeed;
  readonly from: FeedPosition;
  readonly wants: (event: FeedEvent) => boolean;
}

type Caller = Pick<ApiKey, 'clientId' | 'permissions'>;

/**
 * Begins to read a client's feed behind `after`: a cursor, `oldest` or `now`. Throws `forbidden` for a type that is named without
 * its permission, `invalid_request` with the name `field` for a text that is no cursor, and `cursor_expired`.
 */
export async function followEvents(
  deps: FollowEventsDeps,
  { clientId, permissions }: Caller,
  { types, chargerIds, siteIds, includeSubsites = false }: EventQuery,
  { after, field }: { readonly after: string; readonly field: string },
): Promise<FollowedEvents> {
  const wanted = eventTypesFor(types, permissions);
  const sites = siteIds === undefined || !includeSubsites ? siteIds : await withSubsites(deps.sites, clientId, siteIds);
  const filter = {
    types: wanted,
    chargerIds: chargerIds && new Set(chargerIds),
    siteIds: sites && new Set(sites),
  };
  const feed = await openClientFeed(deps.feed, clientId);
  return { feed, from: await placeOf(feed, after, field), wants: (event) => matchesFeedFilter(filter, event) };
}

/** Where reading begins, and how long it waits. */
export interface EventPlace {
  readonly newest?: boolean | undefined;
  readonly after?: string | undefined;
  readonly waitS?: number | undefined;
  readonly before?: string | undefined;
}

/** Throws `invalid_request` for `after` or `waitS` with `newest`, and for `before` without. */
export function checkEventPlace(place: EventPlace): void {
  const isNewest = place.newest === true;
  const refused = isNewest ? (['after', 'waitS'] as const) : (['before'] as const);
  const message = `must be absent ${isNewest ? 'with' : 'without'} newest`;
  for (const field of refused) {
    if (place[field] !== undefined) throw invalidInput(`${field} ${message}.`, { field, message });
  }
}

export interface NewestQuery extends EventQuery {
  /** `older` of an earlier response; absent: from the end of the feed. */
  readonly before?: string | undefined;
}

/**
 * The newest events of a client's feed, or those before a place, with a cursor behind all of them, and in `older` the place from which
 * reading continues backwards, where no event was left out. Throws as `followEvents`, and `invalid_request` for a place
 * within a page: pages are read whole.
 */
export async function readNewestEvents(
  deps: FollowEventsDeps,
  caller: Caller,
  query: NewestQuery,
  size: Pick<NewestOptions, 'limit' | 'maxPages'>,
): Promise<Omit<NewestEvents, 'older'> & { readonly cursor: string; readonly older: string | undefined }> {
  const place = { after: query.before ?? 'now', field: 'before' };
  const { feed, from, wants } = await followEvents(deps, caller, query, place);
  if (from.taken > 0) {
    const message = 'must be the older of a response with newest';
    throw invalidInput(`before ${message}.`, { field: 'before', message });
  }
  const found = await newestEvents(deps.feed, { clientId: caller.clientId, until: from.pages }, { ...size, wants });
  const older = found.older && feed.format({ pages: found.older, next: 0, taken: 0 });
  return { ...found, older, cursor: feed.format(from) };
}
