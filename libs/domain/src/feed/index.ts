export { feedPageKey, feedStreamKey } from './feed-store';
export type { FeedPage, FeedPageId, FeedPages, FeedReader, FeedStream } from './feed-store';
export { lastSequence, MAX_APPENDED_EVENTS } from './outbox';
export type { AnnounceAppended, AppendedEvent, AppendedEvents, Outbox, StoredOutbox, WaitingChargers } from './outbox';
export { endedData, startedData } from './session-data';
