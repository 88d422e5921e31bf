import { AppError, createConcurrencyLimiter } from '@busbar/core';
import {
  checkEventPlace,
  findEvent,
  followEvents,
  permissionOf,
  readNewestEvents,
  waitForEvents,
  type FindEventDeps,
  type FollowEventsDeps,
  type WaitForEventsDeps,
  type FeedEvent,
} from '@busbar/domain/feed';
import { createPlaces } from '@busbar/http';
import { route } from '../route';
import { anyEventSchema, eventPageSchema, eventParamsSchema, eventQuerySchema } from '../schemas/event';

const TAG = 'Events';
const DEFAULT_LIMIT = 100;
const MAX_PAGES = 200;
const MS_IN_S = 1_000;
/** Requests that wait for an event. */
const WAITING = { perKey: 20, perProcess: 2_000 };
/** Looking for one event may read the numbers of many pages. */
const SEARCHES = { concurrency: 2, maxQueue: 20 };

export const listEventsRoute = (deps: FollowEventsDeps & WaitForEventsDeps) => {
  const places = createPlaces(WAITING, 'waiting requests');
  return route({
    method: 'GET',
    path: '/events',
    tag: TAG,
    operationId: 'listEvents',
    summary: 'List events',
    description: [
      'The events of all chargers of the client, kept for seven days unless the operator configured another time. To miss none: begin with `oldest` or',
      '`now`, handle `items`, store `cursor`, and give it as `after` of the next request. The events of one charger come in the order of',
      'their `sequence`, which has no gap; there is no order between chargers. A cursor fits any filter. With `waitS` a request waits for the',
      'next event: at most 20 requests of a key and 2,000 of a process of the API at the same time, 429 above.',
    ].join(' '),
    permission: 'events:read',
    query: eventQuerySchema,
    response: eventPageSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'forbidden', 'cursor_expired'],
    waits: true,
    async handler({ auth, query, signal }) {
      const { after = 'oldest', limit = DEFAULT_LIMIT, waitS = 0 } = query;
      checkEventPlace(query);
      if (query.newest === true) {
        const { events, older, ...rest } = await readNewestEvents(deps, auth, query, { limit, maxPages: MAX_PAGES });
        return { items: present(events), ...rest, ...(older !== undefined && { older }) };
      }
      const followed = await followEvents(deps, auth, query, { after, field: 'after' });
      const { feed, from, wants } = followed;
      const { events, position, hasMore } = await feed.read(from, { wants, limit, maxPages: MAX_PAGES });
      if (events.length > 0 || hasMore || waitS === 0 || signal === undefined) {
        return { items: present(events), cursor: feed.format(position), hasMore };
      }
      const leave = places.take({ key: auth.keyId, client: auth.clientId });
      try {
        const wait = { limit, maxPages: MAX_PAGES, waitMs: waitS * MS_IN_S, signal };
        const found = await waitForEvents(deps, { ...followed, from: position }, wait);
        return { items: present(found.events), cursor: found.cursor, hasMore: found.hasMore };
      } finally {
        leave();
      }
    },
  });
};

export const readEventRoute = (deps: FindEventDeps) => {
  const searches = createConcurrencyLimiter(SEARCHES);
  return route({
    method: 'GET',
    path: '/events/:eventId',
    tag: TAG,
    operationId: 'getEvent',
    summary: 'Read an event',
    description:
      'An event of a charger by its id. Events that were deleted by age get 404, as do those whose type the key may not read.',
    permission: 'events:read',
    params: eventParamsSchema,
    response: anyEventSchema,
    errors: ['not_found'],
    async handler({ auth, params: { eventId } }) {
      const event = await searches.run(() => findEvent(deps, auth.clientId, eventId));
      if (event === 'busy') {
        throw new AppError('rate_limited', 'Too many events are looked up. Retry after the seconds in Retry-After.', {
          details: { retryAfterS: 1 },
        });
      }
      const permissions: readonly string[] = auth.permissions;
      if (permissions.includes(permissionOf(event.type))) return { ...event };
      throw new AppError('not_found', `There is no event ${eventId}, or it was deleted by age.`);
    },
  });
};

type Item = Record<string, unknown>;

function present(events: readonly FeedEvent[]): Item[] {
  return events.map((event) => ({ ...event }));
}
