import { exampleEvent, followEvents, type FollowEventsDeps } from '@busbar/domain/feed';
import { openEventSource, type EventSourceDeps } from '../event-stream/event-source';
import { streamRoute } from '../route';
import { eventStreamQuerySchema } from '../schemas/event';

const STREAMS = { perKey: 20, perProcess: 2_000 };

const EXAMPLE = `retry: 3000

id: AYDdPqcN1N1ZAgAAAAA
event: socket.state_changed
data: ${JSON.stringify(exampleEvent('socket.state_changed'))}

: heartbeat

event: end
data: {"reason":"shutdown"}

`;

export const eventStreamRoute = (deps: FollowEventsDeps & EventSourceDeps) =>
  streamRoute({
    method: 'GET',
    path: '/events/stream',
    tag: 'Events',
    operationId: 'streamEvents',
    summary: 'Stream events',
    description: [
      'Server-sent events (`text/event-stream`): `event` is the type, `data` the event as `GET /v2/events` returns it, `id` the cursor behind it.',
      'Begins behind `Last-Event-ID`, else behind `after`, else with the next event. EventSource reconnects by itself with `Last-Event-ID`, and misses',
      'nothing that is stored. A comment every 15 seconds keeps the connection open. The service ends a stream after about an hour, when it stops and,',
      'within 5 seconds, when the key is revoked or has expired; the last two with the event `end` and `{"reason"}`: `shutdown` or `key_revoked`. It disconnects a',
      'client that leaves 1 MiB of events unread. At most 20 streams of a key and 2,000 of a process of the API: 429 above.',
    ].join(' '),
    permission: 'events:read',
    streams: STREAMS,
    query: eventStreamQuerySchema,
    response: {
      title: 'EventStream',
      type: 'string',
      description: 'Server-sent events in UTF-8.',
      examples: [EXAMPLE],
    },
    errors: ['invalid_charger_id', 'invalid_site_id', 'forbidden', 'cursor_expired'],
    async handler({ auth, query, lastEventId = '' }) {
      // EventSource sends an empty one where it has none.
      const begin =
        lastEventId === ''
          ? { after: query.after ?? 'now', field: 'after' }
          : { after: lastEventId, field: 'Last-Event-ID' };
      return openEventSource(deps, await followEvents(deps, auth, query, begin));
    },
  });
