// The types of events are declared in libs/contracts; APIs know them by this package.
export { EVENT_TYPES, eventSchema, exampleEvent } from '@busbar/contracts';
export type { EventName, FeedEvent } from '@busbar/contracts';
export { openClientFeed } from './client-feed';
export type { ClientFeed, FeedSlice, PageReader, ReadOptions } from './client-feed';
export { formatFeedCursor, MAX_CURSOR_CHARACTERS, parseFeedCursor, streamCount } from './feed-cursor';
export type { FeedIdentity, FeedPosition, ParsedCursor } from './feed-cursor';
export { EVENT_PATTERNS, eventTypesFor, eventTypesOf, matchesFeedFilter, permissionOf } from './feed-filter';
export { placeAt, placeOf, refuseDeleted } from './feed-places';
export type { FeedFilter } from './feed-filter';
export { eventOwnerOf, findEvent } from './find-event';
export type { FindEventDeps } from './find-event';
export type { DeletedCharger, DeletedChargerChange, DeletedChargers } from './deleted-chargers';
export { feedPageKey, feedStreamKey } from './feed-store';
export type { FeedPage, FeedPageId, FeedPages, FeedPageWriter, FeedReader, FeedStream } from './feed-store';
export { createLiveFeeds } from './live-feeds';
export type { LiveEnd, LiveEvent, LiveFeedDeps, LiveFeeds, LiveSubscription } from './live-feeds';
export { lastSequence, MAX_APPENDED_EVENTS } from './outbox';
export type {
  AnnounceAppended,
  AppendedEvent,
  AppendedEvents,
  Outbox,
  OutboxItems,
  StoredOutbox,
  WaitingCharger,
  WaitingChargers,
} from './outbox';
export { checkEventPlace, followEvents, readNewestEvents } from './read-events';
export type { EventQuery, FollowedEvents, FollowEventsDeps } from './read-events';
export { endedData, startedData } from './session-data';
export { waitForEvents } from './wait-for-events';
export type { EventsWaitedFor, WaitForEventsDeps } from './wait-for-events';
