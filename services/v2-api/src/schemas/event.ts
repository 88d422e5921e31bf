// Events of the feed. Their types and fields are those of libs/contracts; here are the texts of the document.
import { chargerIdSchema, siteIdSchema } from '@busbar/api';
import {
  EVENT_PATTERNS,
  EVENT_TYPES,
  eventSchema,
  exampleEvent,
  MAX_CURSOR_CHARACTERS,
  type EventName,
} from '@busbar/domain/feed';
import { field } from '@busbar/http';
import { eventFieldText, EVENT_ITEMS } from './event-fields';
import { boolean, paramsSchema, recordSchema, string } from './values';

type Json = Readonly<Record<string, unknown>>;

// Typed wider than their values: the parser of types would list every combination.
const PATTERNS: readonly string[] = EVENT_PATTERNS;
const MAX_CHARGERS: number = 100;
const MAX_SITES: number = 20;
const MAX_EVENT_ID = 100;
const MAX_LIMIT = 1_000;
const MAX_WAIT_S = 30;

export const EVENT_NAMES = Object.keys(EVENT_TYPES) as EventName[];

const cursorSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_CURSOR_CHARACTERS,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-pattern-message': 'must be a cursor of an earlier response, oldest or now',
} as const;

/** `begin`: the default of `after`. */
export const eventFilterFields = (begin: string) =>
  ({
    after: field(
      cursorSchema,
      `Begins behind this cursor of an earlier response or event. \`oldest\`: with the oldest stored event. \`now\`: with the next one. Default ${begin}.`,
    ),
    types: field(
      { type: 'array', items: { type: 'string', enum: PATTERNS }, maxItems: PATTERNS.length },
      [
        'Types of events, families such as `charger.*`, or `*`: all but the frequent `socket.state_reported` and `meter.values`.',
        'Default: all. Types whose permission the key lacks are left out; one that is named gets 403. Repeat it, or separate values by commas.',
      ].join(' '),
    ),
    chargerIds: field(
      { type: 'array', items: chargerIdSchema, maxItems: MAX_CHARGERS },
      'Events of these chargers. Repeat it, or separate values by commas.',
    ),
    siteIds: field(
      { type: 'array', items: siteIdSchema, maxItems: MAX_SITES },
      "The charger's site at the time of the event. Repeat it, or separate values by commas.",
    ),
    includeSubsites: field(boolean, 'Includes the sites below `siteIds`. Default false.'),
  }) as const;

export const eventQuerySchema = paramsSchema(
  {},
  {
    limit: field({ type: 'integer', minimum: 1, maximum: MAX_LIMIT }, 'Events of a response at most. Default 100.'),
    waitS: field(
      { type: 'integer', minimum: 0, maximum: MAX_WAIT_S },
      'Seconds to wait where there is no event: the response comes with the first one, or empty at the end. Default 0.',
    ),
    newest: field(
      boolean,
      'True: the newest events, the newest first, in place of those behind `after`; `cursor` is behind all of them. Without `after` and `waitS`. Default false.',
    ),
    before: field(cursorSchema, '`older` of a response with `newest`: the events before those. Only with `newest`.'),
    ...eventFilterFields('`oldest`'),
  },
);

export const eventStreamQuerySchema = paramsSchema({}, eventFilterFields('`now`'));

export const eventParamsSchema = paramsSchema({
  eventId: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_EVENT_ID,
    description: 'The id of the event.',
    examples: [exampleEvent('charger.booted').id],
  },
});

/** Any event. Its variants have a title each, and so are components of the document. */
export const anyEventSchema = {
  title: 'Event',
  type: 'object',
  description: 'An event of a charger or a webhook. `type` says which one.',
  anyOf: EVENT_NAMES.map(eventVariantSchema),
  examples: [exampleEvent('socket.state_changed')],
} as unknown as { readonly title: 'Event'; readonly type: 'object'; readonly additionalProperties: true };

export const eventPageSchema = {
  ...recordSchema(
    'EventPage',
    'Events, those of one charger in the order of their sequence.',
    {
      items: field({ type: 'array', items: anyEventSchema }, 'The events.'),
      cursor: field(string, 'The cursor behind these events: `after` of the next request.', 'AYDdPqcN1N1ZAgAAAAA'),
      hasMore: field(
        boolean,
        'Whether to ask again at once. `items` may be empty then: a request reads 200 pages of the feed. With `newest`: whether there may be older ones.',
      ),
    },
    {
      older: field(
        string,
        'With `newest`: the place where reading ended; as `before` it reads on backwards. Absent: all events were read, or more than `limit` were found.',
        'AYDdPqcN1N1ZAgAAAAA',
      ),
    },
  ),
  // One event of each type.
  examples: [{ items: EVENT_NAMES.map((name) => exampleEvent(name)), cursor: 'AYDdPqcN1N1ZAgAAAAA', hasMore: false }],
};

/** The schema of a type's events. */
export function eventVariantSchema(name: EventName): Json {
  const title = `${pascal(name)}Event`;
  const example = exampleEvent(name) as unknown as Json;
  const { data, ...fields } = propertiesOf(eventSchema(name));
  const described = describedObject(data ?? {}, { example: example['data'], owner: name });
  return {
    title,
    type: 'object',
    description: EVENT_TYPES[name].when,
    properties: {
      ...describedFields(fields, { example }),
      data: { ...described, title: `${title}Data`, description: `Data of \`${name}\`.` },
    },
    required: [...Object.keys(fields), 'data'],
    additionalProperties: false,
  };
}

interface Described {
  /** An example of the object. */
  readonly example: unknown;
  /** The type whose data it is. */
  readonly owner?: EventName;
}

function describedObject(schema: Json, described: Described): Json {
  return { ...schema, properties: describedFields(propertiesOf(schema), described) };
}

function describedFields(fields: Readonly<Record<string, Json>>, { example, owner }: Described): Json {
  const values = example as Json;
  return Object.fromEntries(
    Object.entries(fields).map(([name, declared]): [string, Json] => {
      const description = eventFieldText(name, owner);
      const items = declared['items'] as Json | undefined;
      if (items?.['properties'] === undefined) {
        return [name, { ...declared, description, ...(name in values ? { examples: [values[name]] } : {}) }];
      }
      const title = `Event${pascal(name.slice(0, -1))}`;
      const { text, example: first } = EVENT_ITEMS[name] ?? { text: description, example: {} };
      const item = { ...describedObject(items, { example: first }), title, description: text };
      return [name, { ...declared, description, items: item }];
    }),
  );
}

function propertiesOf(schema: Json): Readonly<Record<string, Json>> {
  return schema['properties'] as Readonly<Record<string, Json>>;
}

/** `SocketStateChanged` for `socket.state_changed`. */
export function pascal(name: string): string {
  return name
    .replaceAll('.', '_')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
