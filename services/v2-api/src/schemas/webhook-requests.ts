// The requests that receivers of webhooks get, for the section `webhooks` of the document.
import { EVENT_TYPES, exampleEvent, type EventName } from '@busbar/domain/feed';
import type { DocumentedWebhook, DocumentedWebhooks } from '@busbar/http';
import { EVENT_NAMES, eventVariantSchema, pascal } from './event';

const EXAMPLE = exampleEvent('session.started');

/** Of the format `standard`. The push formats have other bodies and fewer headers. */
export const webhookRequests: DocumentedWebhooks = {
  headers: {
    'webhook-id': {
      description: 'The id of the event, the same at each attempt: handle an id once.',
      example: EXAMPLE.id,
    },
    'webhook-timestamp': { description: 'When this attempt began, in seconds since 1970.', example: '1769860800' },
    'webhook-signature': {
      description: [
        'Signatures of `webhook-id.webhook-timestamp.body` (Standard Webhooks): `v1,` and the HMAC-SHA256 in base64, one for each secret in force, separated',
        'by a space. Accept the request where one of them is yours.',
      ].join(' '),
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
    'ce-specversion': { description: 'CloudEvents, binary content mode.', example: '1.0' },
    'ce-id': { description: 'The id of the event.', example: EXAMPLE.id },
    'ce-type': { description: 'The type of the event.', example: EXAMPLE.type },
    'ce-source': { description: 'The client whose event it is.', example: 'urn:busbar:acme' },
    'ce-time': { description: 'The timestamp of the event.', example: EXAMPLE.timestamp },
    'ce-subject': {
      description: 'The id of the charger; absent where the event belongs to none.',
      example: 'ACME_1',
      required: false,
    },
  },
  responses: {
    '2XX': 'The event is delivered.',
    '410': 'The receiver wants nothing any more: the webhook is disabled.',
    '4XX': [
      'Responses 401, 403, 404, 407, 408, 425 and 429, as no response within 15 seconds: the webhook fails, all deliveries wait, and one event is tried from time to time.',
      'Any other: this event is tried six times in all within 43 minutes, then parked. Redirects (3xx) are not followed: the webhook fails.',
    ].join(' '),
    '5XX': '502, 503 and 504: the webhook fails. Any other: this event is tried again, then parked.',
  },
  requests: EVENT_NAMES.map(requestOf),
};

function requestOf(name: EventName): DocumentedWebhook {
  return {
    name,
    operationId: `on${pascal(name)}`,
    tag: 'Webhooks',
    summary: `Receive \`${name}\``,
    description: `${EVENT_TYPES[name].when} Posted to webhooks of the format \`standard\` whose types include it.`,
    body: eventVariantSchema(name),
    example: exampleEvent(name),
  };
}
