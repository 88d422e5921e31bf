import { AppError, createConcurrencyLimiter } from '@busbar/core';
import {
  findEvent,
  followEvents,
  permissionOf,
  type FindEventDeps,
  type FollowEventsDeps,
  type FeedEvent,
} from '@busbar/domain/feed';
import { route } from '../route';
import { anyEventSchema, eventPageSchema, eventParamsSchema, eventQuerySchema } from '../schemas/event';

const TAG = 'Events';
const DEFAULT_LIMIT = 100;
const MAX_PAGES = 200;
/** Looking for one event may read the numbers of many pages. */
const SEARCHES = { concurrency: 2, maxQueue: 20 };

export const listEventsRoute = (deps: FollowEventsDeps) =>
  route({
    method: 'GET',
    path: '/events',
    tag: TAG,
    operationId: 'listEvents',
    summary: 'List events',
    description: [
      'The events of all chargers of the client, kept for seven days unless the operator configured another time. To miss none: begin with `oldest` or',
      '`now`, handle `items`, store `cursor`, and give it as `after` of the next request. The events of one charger come in the order of',
      'their `sequence`, which has no gap; there is no order between chargers. A cursor fits any filter.',
    ].join(' '),
    permission: 'events:read',
    query: eventQuerySchema,
    response: eventPageSchema,
    errors: ['invalid_charger_id', 'invalid_site_id', 'forbidden', 'cursor_expired'],
    async handler({ auth, query }) {
      const { feed, from, wants } = await followEvents(deps, auth, query, {
        after: query.after ?? 'oldest',
        field: 'after',
      });
      const options = { wants, limit: query.limit ?? DEFAULT_LIMIT, maxPages: MAX_PAGES };
      const { events, position, hasMore } = await feed.read(from, options);
      return { items: events as unknown as Item[], cursor: feed.format(position), hasMore };
    },
  });

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
      if (permissions.includes(permissionOf(event.type))) return event as FeedEvent & Item;
      throw new AppError('not_found', `There is no event ${eventId}, or it was deleted by age.`);
    },
  });
};

type Item = Record<string, unknown>;
