// Builds the AsyncAPI document of the feed of events for integrators, from the declarations of its types.
import { EVENT_TYPES, eventSchema, type EventName } from './event';
import { exampleEvent } from './event-examples';

const NAMES = Object.keys(EVENT_TYPES) as EventName[];

/** An AsyncAPI 3.0 document as plain data. */
export function buildFeedAsyncApi(): Readonly<Record<string, unknown>> {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Busbar events',
      version: '1.0.0',
      description:
        'The feed of events of a client as server-sent events. How to read and resume it: docs/events.md. Pages of the same events: the OpenAPI document.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      events: {
        address: '/v2/events/stream',
        description:
          'One message is one server-sent event: `event` is the type, `data` the payload in one line, `id` the cursor behind it. The API key is sent as `x-api-key`.',
        messages: Object.fromEntries(NAMES.map((name) => [name, messageOf(name)])),
        bindings: { http: { bindingVersion: '0.3.0' } },
      },
    },
    operations: {
      receiveEvents: {
        action: 'receive',
        channel: { $ref: '#/channels/events' },
        summary: 'Receive the events that the API key may read.',
      },
    },
  };
}

function messageOf(name: EventName): Readonly<Record<string, unknown>> {
  const { when, needs } = EVENT_TYPES[name];
  return {
    name,
    summary: `${when} Requires the permission \`${needs}\`.`,
    payload: eventSchema(name),
    examples: [{ payload: exampleEvent(name) }],
  };
}
