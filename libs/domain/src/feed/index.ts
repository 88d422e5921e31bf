export { feedPageKey, feedStreamKey } from './feed-store';
export type { FeedPage, FeedPageId, FeedPages, FeedReader, FeedStream } from './feed-store';
export { lastSequence } from './outbox';
export type { Outbox } from './outbox';
