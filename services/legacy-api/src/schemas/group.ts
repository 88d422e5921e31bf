import { nameSchema, textSchema } from '@busbar/api';
import { GROUP_TYPES } from '@busbar/domain/sites';
import { chargerSchema } from './charger';
import { groupIdSchema } from './values';

const fields = {
  name: nameSchema,
  groupType: { type: 'string', enum: GROUP_TYPES },
  externalId: textSchema,
} as const;

/** Fields that are not named here are ignored, as this API always did. */
export const groupInputSchema = {
  title: 'GroupInput',
  type: 'object',
  description: 'A parentGroupId or an externalId of null is the same as none.',
  properties: {
    ...fields,
    externalId: { ...textSchema, nullable: true },
    parentGroupId: { ...groupIdSchema, nullable: true },
  },
  required: ['name'],
} as const;

export const groupChangeSchema = {
  title: 'GroupChange',
  description:
    'What is absent stays as it is. A parentGroupId of null makes it a root group; an externalId of null, or an empty one, is none.',
  type: 'object',
  properties: {
    ...fields,
    externalId: { ...textSchema, nullable: true },
    parentGroupId: { ...groupIdSchema, nullable: true },
  },
} as const;

export const groupSchema = {
  title: 'Group',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    groupType: fields.groupType,
    externalId: { type: 'string', description: 'Empty for none.' },
    parentGroupId: { type: 'integer', description: 'Absent of a root group.' },
  },
  required: ['id', 'name', 'groupType', 'externalId'],
  additionalProperties: false,
} as const;

const socketCountSchema = { type: 'integer', minimum: 0 } as const;

const nodeFields = {
  id: groupSchema.properties.id,
  name: groupSchema.properties.name,
  groupType: groupSchema.properties.groupType,
  externalId: groupSchema.properties.externalId,
  onlineSocket: { ...socketCountSchema, description: "Sockets of the group's own chargers that are neither of:" },
  offlineSocket: { ...socketCountSchema, description: 'Sockets without a connection.' },
  errorSocket: { ...socketCountSchema, description: 'Sockets in the status Error.' },
  chargers: { type: 'array', items: chargerSchema, description: 'Status records; empty with excludeDetails=true.' },
} as const;

const reference = { $ref: '#/components/schemas/GroupNode', description: 'A group below.' };
/** Of no type that is known: a type that holds itself cannot be worked out from a schema. */
const itself: { readonly description: string } = reference;

export const groupNodeSchema = {
  title: 'GroupNode',
  type: 'object',
  properties: {
    ...nodeFields,
    subgroups: { type: 'array', items: itself },
  },
  required: [
    'id',
    'name',
    'groupType',
    'externalId',
    'onlineSocket',
    'offlineSocket',
    'errorSocket',
    'chargers',
    'subgroups',
  ],
  additionalProperties: false,
} as const;

export const groupQuerySchema = {
  type: 'object',
  properties: {
    excludeDetails: {
      type: 'boolean',
      description: 'Leaves the chargers out, which need the permission chargers:read.',
    },
  },
  additionalProperties: false,
} as const;
