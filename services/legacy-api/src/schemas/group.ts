import { nameSchema, textSchema } from '@busbar/api';
import { GROUP_TYPES } from '@busbar/domain/sites';
import { field } from '@busbar/http';
import { chargerSchema } from './charger';
import { common, count, groupIdSchema, recordSchema, string } from './values';

const EXTERNAL_ID = 'Id of the group in your own system.';

const fields = {
  name: field(nameSchema, 'Name of the group.', 'Harbour'),
  groupType: field(
    { type: 'string', enum: GROUP_TYPES },
    'What the group is in your structure of groups. It has no effect. Default SITE.',
    'SITE',
  ),
} as const;

const inputFields = {
  ...fields,
  externalId: field({ ...textSchema, nullable: true }, `${EXTERNAL_ID} Null or empty: none.`, 'H-17'),
  parentGroupId: field(
    { ...groupIdSchema, nullable: true },
    'Id of the group that this one is directly below. Null: a root group.',
  ),
} as const;

/** Unknown fields are ignored. */
export const groupInputSchema = {
  title: 'GroupInput',
  type: 'object',
  description: 'A group to create. Unknown fields are ignored.',
  properties: inputFields,
  required: ['name'],
  examples: [{ name: 'Harbour', groupType: 'SITE', externalId: 'H-17' }],
} as const;

export const groupChangeSchema = {
  title: 'GroupChange',
  description:
    'Changes of a group. Absent fields keep their value. A parentGroupId of null makes it a root group. An externalId that is null or empty clears it.',
  type: 'object',
  properties: inputFields,
  examples: [{ name: 'Harbour, east' }],
} as const;

const ownFields = {
  id: common.groupId,
  name: field(string, 'Name of the group.', 'Harbour'),
  groupType: fields.groupType,
  externalId: field(string, `${EXTERNAL_ID} Empty: none.`, 'H-17'),
} as const;

export const groupSchema = recordSchema('Group', 'The group without its content.', ownFields, {
  parentGroupId: { type: 'integer', description: 'Id of the group that this one is below. Absent for a root group.' },
});

const reference = { $ref: '#/components/schemas/GroupNode' };
/** Without its type: FromSchema cannot derive a recursive type. */
const itself: object = reference;

export const groupNodeSchema = recordSchema('GroupNode', 'A group with its chargers and the groups below it.', {
  ...ownFields,
  onlineSocket: field(
    count,
    "Number of sockets of the group's own chargers that are neither offline nor in the status Error.",
    2,
  ),
  offlineSocket: field(count, 'Number of sockets without a connection.', 0),
  errorSocket: field(count, 'Number of sockets in the status Error.', 0),
  chargers: field({ type: 'array', items: chargerSchema }, 'Status records; empty with excludeDetails=true.'),
  subgroups: field({ type: 'array', items: itself }, 'The groups directly below.', []),
});

export const groupTreeSchema = {
  title: 'GroupTree',
  type: 'array',
  description: 'The root groups with all groups below them.',
  items: groupNodeSchema,
} as const;

export const groupQuerySchema = {
  type: 'object',
  properties: {
    excludeDetails: {
      type: 'boolean',
      description: 'Leaves out the chargers, which require the permission chargers:read.',
    },
  },
  additionalProperties: false,
} as const;
