import { rfidTagSchema } from '@busbar/api';
import { MAX_IMPORTED_TAGS } from '@busbar/domain/tags';
import { field } from '@busbar/http';
import {
  boolean,
  count,
  nullableTimestampSchema,
  nullableTextSchema,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const BLOCKED = 'A blocked tag is refused, also for remote starts.';

const inputFields = {
  startDate: field(nullableTimestampSchema, 'Before it the tag is not valid yet. Null: valid at once.', null),
  expiringDate: field(
    nullableTimestampSchema,
    'From then on the tag is expired. Null: it does not expire.',
    '2035-01-01T00:00:00.000Z',
  ),
  tokenName: field(nullableTextSchema, 'Name of the tag. Null: none.', 'Company car 7'),
  type: field(
    { type: ['string', 'null'], minLength: 1, maxLength: 20 },
    'Type of token, for chargers of OCPP 2.x: `Central`, `eMAID`, `ISO14443`, `ISO15693`, `KeyCode`, `Local` or `MacAddress`, in 2.1 any other. A token of another type is unknown. Null: any type is the tag.',
    'ISO14443',
  ),
  blocked: field({ type: ['boolean', 'null'] }, `${BLOCKED} Null: false.`, false),
  parentIdTag: field(
    { type: ['string', 'null'], pattern: rfidTagSchema.pattern },
    'The group of the tag, which chargers get with each authorization. It need not be a tag. Null: none.',
    null,
  ),
  externalId: field(nullableTextSchema, 'Id of the tag in your own system. Null: none.', 'T-7'),
} as const;

export const tagInputSchema = {
  ...recordSchema(
    'TagInput',
    'A tag to create. Null is the same as absent.',
    { idTag: rfidTagSchema },
    { ...inputFields },
  ),
  examples: [{ idTag: '04E91C5A123B80', tokenName: 'Company car 7', expiringDate: '2035-01-01T00:00:00.000Z' }],
} as const;

export const tagImportSchema = {
  ...recordSchema('TagImport', 'Tags to create or change.', {
    tags: {
      type: 'array',
      items: tagInputSchema,
      minItems: 1,
      maxItems: MAX_IMPORTED_TAGS,
      description: 'The tags. Absent fields of an existing tag keep their value. Null clears a field.',
    },
  }),
  examples: [{ tags: [{ idTag: '04E91C5A123B80', tokenName: 'Company car 7' }, { idTag: '04E91C5A123B81' }] }],
} as const;

export const importedTagsSchema = recordSchema('ImportedTags', 'What the import did.', {
  created: field(count, 'Number of new tags.', 1),
  changed: field(count, 'Number of tags that existed and were changed.', 1),
  unchanged: field(count, 'Number of tags that existed so already.', 0),
});

export const tagChangeSchema = {
  title: 'TagChange',
  description: 'Changes of a tag. Absent fields keep their value. Null clears a field.',
  type: 'object',
  properties: inputFields,
  additionalProperties: false,
  examples: [{ tokenName: 'Company car 8', externalId: 'T-8' }],
} as const;

export const tagParamsSchema = paramsSchema({ idTag: rfidTagSchema });

export const tagSchema = recordSchema('Tag', 'The tag.', {
  idTag: field(string, 'The RFID tag.', '04E91C5A123B80'),
  ...inputFields,
  blocked: field(boolean, BLOCKED, false),
  updatedAt: field(timestampSchema, 'The last change of the tag.'),
  lastUsedAt: field(
    nullableTimestampSchema,
    'When its newest stored session started. `updatedAt` does not follow it. Null: there is no session of it.',
    '2026-01-31T08:00:00.000Z',
  ),
});
