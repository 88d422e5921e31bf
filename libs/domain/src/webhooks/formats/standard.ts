import type { FeedEvent } from '@busbar/contracts';
import type { OutgoingMessage } from '../outgoing-message';
import type { Webhook } from '../webhook';

const SPEC_VERSION = '1.0';

/** The event as it is in the feed, with the headers of the binary content mode of CloudEvents 1.0 over HTTP. */
export function standardMessage(
  event: FeedEvent,
  json: string,
  { clientId }: Pick<Webhook, 'clientId'>,
): OutgoingMessage {
  const { id, type, timestamp, chargerId } = event;
  return {
    id,
    body: json,
    headers: {
      'ce-specversion': SPEC_VERSION,
      'ce-id': id,
      'ce-type': type,
      // Operators choose ids of clients. A header and a URI take ASCII only.
      'ce-source': `urn:busbar:${encodeURIComponent(clientId)}`,
      'ce-time': timestamp,
      ...(chargerId === null ? {} : { 'ce-subject': chargerId }),
    },
  };
}
