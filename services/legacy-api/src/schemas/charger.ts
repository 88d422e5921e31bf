import { INPUT_LIMITS } from '@busbar/domain';
import { nameSchema, socketIdSchema, textSchema } from '@busbar/api';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import { groupIdSchema } from './values';

const textsSchema = { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items } as const;

const locationInputSchema = {
  title: 'LocationInfoInput',
  type: 'object',
  properties: {
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    longitude: { type: 'number', minimum: -180, maximum: 180 },
    streetAddress: textSchema,
    streetNumber: textSchema,
    houseLetter: textSchema,
    postalNumber: textSchema,
    city: textSchema,
    area: textSchema,
    country: textSchema,
  },
} as const;

const fields = {
  chargerName: nameSchema,
  locationInfo: locationInputSchema,
  pushIntegrationEnabled: { type: 'boolean' },
  chargerSpecificMessageStructure: { type: 'boolean' },
  sockets: {
    type: 'array',
    maxItems: INPUT_LIMITS.items,
    items: {
      title: 'SocketInput',
      type: 'object',
      properties: {
        id: socketIdSchema,
        name: textSchema,
        type: textSchema,
        maxPower: textSchema,
      },
      required: ['id'],
    },
  },
  evseId: textSchema,
  splitEvseBySocket: { type: 'boolean' },
  capabilities: textsSchema,
  integrationRelays: textsSchema,
} as const;

/** Unknown fields are ignored. */
export const chargerInputSchema = {
  title: 'ChargerInput',
  type: 'object',
  properties: fields,
  required: ['chargerName'],
} as const;

export const chargerChangeSchema = {
  title: 'ChargerChange',
  description: 'Absent fields keep their value. Lists are replaced as a whole.',
  type: 'object',
  properties: { ...fields, groupId: { ...groupIdSchema, description: 'Moves the charger.' } },
} as const;

const stateSchema = { type: 'string', enum: CHARGING_STATES } as const;

const socketSchema = {
  title: 'Socket',
  type: 'object',
  properties: {
    type: { type: 'string' },
    maxPower: { type: 'string' },
    status: stateSchema,
    id: { type: 'integer' },
    name: { type: 'string' },
    lastUpdated: { type: 'string' },
    errorCode: { type: 'string' },
  },
  required: ['type', 'maxPower', 'status', 'id'],
  additionalProperties: false,
} as const;

export const chargerSchema = {
  title: 'Charger',
  type: 'object',
  properties: {
    chargerId: { type: 'string' },
    chargerName: { type: 'string' },
    firmwareVersion: { type: 'string' },
    manufacturer: { type: 'string' },
    serialNumber: { type: 'string' },
    chargerModel: { type: 'string' },
    amountOfSockets: { type: 'integer' },
    lastSeen: { type: 'string', description: 'RFC 3339 in UTC; empty before the first message.' },
    lastMessage: {
      type: 'string',
      description: 'The last received frame with secrets masked, truncated at 16 KiB.',
    },
    activeConnection: { type: 'boolean' },
    locationInfo: { ...locationInputSchema, title: 'LocationInfo', additionalProperties: false },
    pushIntegrationEnabled: { type: 'boolean' },
    chargerSpecificMessageStructure: { type: 'boolean' },
    chargerConfigurations: {
      type: 'array',
      items: {
        title: 'ChargerConfiguration',
        type: 'object',
        properties: {
          configName: { type: 'string' },
          configValue: { type: 'string' },
          canBeChanged: { type: 'boolean' },
        },
        required: ['configName', 'configValue', 'canBeChanged'],
        additionalProperties: false,
      },
    },
    sockets: { type: 'array', items: socketSchema },
    groupId: { type: 'integer' },
    groupName: { type: 'string' },
    chargerStatus: stateSchema,
    ocppVersion: { type: 'string' },
  },
  required: [
    'chargerId',
    'chargerName',
    'firmwareVersion',
    'manufacturer',
    'serialNumber',
    'chargerModel',
    'amountOfSockets',
    'lastSeen',
    'lastMessage',
    'activeConnection',
    'locationInfo',
    'pushIntegrationEnabled',
    'chargerSpecificMessageStructure',
    'chargerConfigurations',
    'sockets',
    'groupId',
    'groupName',
    'chargerStatus',
    'ocppVersion',
  ],
  additionalProperties: false,
} as const;
