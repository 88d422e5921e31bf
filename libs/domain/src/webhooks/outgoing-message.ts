// What a format makes of an event: the requests that are posted for it.
import type { FeedEvent } from '@busbar/contracts';
import type { Webhook } from './webhook';

/** One POST. */
export interface OutgoingMessage {
  /** The header `webhook-id`: the event's id; further messages of the same event add `-2`, `-3` …: the same at each attempt. */
  readonly id: string;
  /** JSON, byte for byte the same at each attempt. */
  readonly body: string;
  /** Of the format, beside those of every delivery. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `json`: the event as in the feed. Returns no message where the format has none for it: it then counts as delivered. */
export type FormatEvent = (
  event: FeedEvent,
  json: string,
  webhook: Pick<Webhook, 'webhookId' | 'clientId' | 'description' | 'types'>,
) => Promise<readonly OutgoingMessage[]>;
