import { nameSchema, textSchema } from '@busbar/api';
import { GROUP_TYPES } from '@busbar/domain/sites';
import { chargerSchema } from './charger';
import { groupIdSchema } from './values';

const fields = {
  name: nameSchema,
  groupType: { type: 'string', enum: GROUP_TYPES },
  externalId: textSchema,
} as const;

/** Unknown fields are ignored. */
export const groupInputSchema = {
  title: 'GroupInput',
  type: 'object',
  description: 'A parentGroupId or externalId of null is the same as absent.',
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
    'Absent fields keep their value. A parentGroupId of null makes it a root group. An externalId that is null or empty clears it.',
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
    externalId: { type: 'string', description: 'Empty without one.' },
    parentGroupId: { type: 'integer', description: 'Absent for a root group.' },
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
  onlineSocket: {
    ...socketCountSchema,
    description: "Sockets of the group's own chargers that are neither offline nor in the status Error.",
  },
  offlineSocket: { ...socketCountSchema, description: 'Sockets without a connection.' },
  errorSocket: { ...socketCountSchema, description: 'Sockets in the status Error.' },
  chargers: { type: 'array', items: chargerSchema, description: 'Status records; empty with excludeDetails=true.' },
} as const;

const reference = { $ref: '#/components/schemas/GroupNode', description: 'A group below.' };
/** Without its type: FromSchema cannot derive a recursive type. */
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
      description: 'Leaves out the chargers, which require the permission chargers:read.',
    },
  },
  additionalProperties: false,
} as const;
