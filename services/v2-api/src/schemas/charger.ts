import { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from '@busbar/domain';
import { chargerIdSchema, nameSchema, siteIdSchema, socketIdSchema, textSchema } from '@busbar/api';
import { CHARGER_SORT_KEYS, CHARGING_STATES, RESERVED_CHARGER_IDS } from '@busbar/domain/chargers';
import { cursorQuerySchema } from '@busbar/http';
import { OCPP_VERSIONS } from '@busbar/ocpp';
import {
  timestampSchema,
  latitudeSchema,
  longitudeSchema,
  nullableTimestampSchema,
  nullableTextSchema,
  recordSchema,
} from './values';

const stateSchema = { type: 'string', enum: CHARGING_STATES } as const;
const textsSchema = { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items } as const;
const quantitySchema = { type: 'number', minimum: 0, maximum: 10_000_000 } as const;
const nullableQuantitySchema = { ...quantitySchema, type: ['number', 'null'] } as const;
const nullableFlagSchema = { type: ['boolean', 'null'] } as const;
const nullableTextsSchema = { ...textsSchema, type: ['array', 'null'] } as const;

/** Null is the same as absent. */
const locationInputSchema = {
  title: 'ChargerLocationInput',
  type: ['object', 'null'],
  properties: {
    latitude: latitudeSchema,
    longitude: longitudeSchema,
    streetAddress: nullableTextSchema,
    streetNumber: nullableTextSchema,
    houseLetter: nullableTextSchema,
    postalNumber: nullableTextSchema,
    city: nullableTextSchema,
    area: nullableTextSchema,
    country: nullableTextSchema,
  },
  additionalProperties: false,
} as const;

const socketFields = {
  name: nullableTextSchema,
  type: nullableTextSchema,
  maxPower: nullableTextSchema,
  format: nullableTextSchema,
  socketPowerType: nullableTextSchema,
  maxWatts: nullableQuantitySchema,
  maxVoltage: nullableQuantitySchema,
  maxAmperage: nullableQuantitySchema,
  phaseRotation: nullableTextSchema,
} as const;

const socketInputSchema = {
  title: 'SocketInput',
  description: "What the operator registers of a socket, besides the charger's reports.",
  type: 'object',
  properties: {
    id: socketIdSchema,
    ...socketFields,
  },
  required: ['id'],
  additionalProperties: false,
} as const;

const customPropertiesSchema = {
  type: 'object',
  maxProperties: INPUT_LIMITS.items,
  propertyNames: { pattern: PROPERTY_NAME_PATTERN },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: INPUT_LIMITS.customValue },
} as const;

/** The owner's fields, which the record repeats. */
const ownFields = {
  name: nameSchema,
  pushIntegrationEnabled: { type: 'boolean' },
  chargerSpecificMessageStructure: { type: 'boolean' },
  evseId: nullableTextSchema,
  splitEvseBySocket: { type: 'boolean' },
  capabilities: textsSchema,
  physicalReference: nullableTextSchema,
  integrationRelays: textsSchema,
  customProperties: customPropertiesSchema,
} as const;

/** Null is the same as absent. */
const ownInputFields = {
  pushIntegrationEnabled: nullableFlagSchema,
  chargerSpecificMessageStructure: nullableFlagSchema,
  evseId: nullableTextSchema,
  splitEvseBySocket: nullableFlagSchema,
  sockets: { type: ['array', 'null'], items: socketInputSchema, maxItems: INPUT_LIMITS.items },
  capabilities: nullableTextsSchema,
  physicalReference: nullableTextSchema,
  integrationRelays: nullableTextsSchema,
  customProperties: { ...customPropertiesSchema, type: ['object', 'null'] },
} as const;

export const chargerInputSchema = {
  title: 'ChargerInput',
  description: 'Null is the same as absent, also in location and sockets.',
  type: 'object',
  properties: {
    chargerId: {
      ...chargerIdSchema,
      description: `${chargerIdSchema.description} Reserved: ${RESERVED_CHARGER_IDS.join(', ')}.`,
    },
    name: nameSchema,
    ...ownInputFields,
    siteId: { ...siteIdSchema, type: ['integer', 'null'], description: "Default: the client's oldest site." },
    location: locationInputSchema,
  },
  required: ['chargerId', 'name'],
  additionalProperties: false,
} as const;

const socketsInputSchema = { type: 'array', items: socketInputSchema, maxItems: INPUT_LIMITS.items } as const;

/** Absent fields keep their value, null clears. The chargerId never changes. */
export const chargerPatchSchema = {
  title: 'ChargerPatch',
  description:
    'Absent fields keep their value, and null clears a field; this also holds within location and compatibility. Sockets, lists and customProperties are replaced as a whole.',
  type: 'object',
  properties: {
    name: nameSchema,
    siteId: { ...siteIdSchema, description: 'Moves the charger.' },
    location: { ...locationInputSchema, title: 'ChargerLocationPatch' },
    ...ownInputFields,
    compatibility: {
      title: 'CompatibilityPatch',
      description: "Switches for deviations of chargers from OCPP. They apply from the charger's next connection.",
      type: ['object', 'null'],
      properties: {
        assumeOcpp16: nullableFlagSchema,
        acceptHexKey: nullableFlagSchema,
        zonelessIsUtc: nullableFlagSchema,
        vendorFields: nullableFlagSchema,
        nullFields: nullableFlagSchema,
        overlongTexts: nullableFlagSchema,
        numberTexts: nullableFlagSchema,
        fractionalMeters: nullableFlagSchema,
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export const socketListInputSchema = {
  title: 'SocketListInput',
  type: 'object',
  properties: { sockets: socketsInputSchema },
  required: ['sockets'],
  additionalProperties: false,
} as const;

export const socketPatchSchema = {
  title: 'SocketPatch',
  description: 'Absent fields keep their value. Null clears a field.',
  type: 'object',
  properties: socketFields,
  additionalProperties: false,
} as const;

export const socketParamsSchema = {
  type: 'object',
  properties: { chargerId: chargerIdSchema, socketId: socketInputSchema.properties.id },
  required: ['chargerId', 'socketId'],
  additionalProperties: false,
} as const;

const pageQuery = cursorQuerySchema(CHARGER_SORT_KEYS);
const wordSchema = { ...textSchema, minLength: 1 } as const;

export const chargerQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    siteId: siteIdSchema,
    externalSiteId: { ...wordSchema, description: "The externalId of the charger's site." },
    includeSubsites: { type: 'boolean', description: 'Includes chargers of the sites below.' },
    manufacturer: wordSchema,
    model: wordSchema,
    state: stateSchema,
    activeConnection: { type: 'boolean' },
    ocppVersion: {
      type: 'string',
      enum: OCPP_VERSIONS,
      description: 'The OCPP version of the current or last connection.',
    },
    includeChargerConfigurations: { type: 'boolean', description: 'Includes chargerConfigurations. Default false.' },
  },
} as const;

const locationSchema = recordSchema('ChargerLocation', {
  latitude: { type: ['number', 'null'] },
  longitude: { type: ['number', 'null'] },
  streetAddress: { type: ['string', 'null'] },
  streetNumber: { type: ['string', 'null'] },
  houseLetter: { type: ['string', 'null'] },
  postalNumber: { type: ['string', 'null'] },
  city: { type: ['string', 'null'] },
  area: { type: ['string', 'null'] },
  country: { type: ['string', 'null'] },
});

const availabilitySchema = { type: ['string', 'null'], enum: ['Operative', 'Inoperative', null] } as const;

const socketSchema = recordSchema('Socket', {
  id: { type: 'integer' },
  name: { type: 'string' },
  type: { type: 'string' },
  maxPower: { type: 'string' },
  status: stateSchema,
  errorCode: { type: 'string' },
  availability: {
    ...availabilitySchema,
    description: 'The availability that the last command set; null without a command.',
  },
  scheduledAvailability: {
    ...availabilitySchema,
    description: 'The availability that follows when the session in progress ends.',
  },
  format: { type: 'string' },
  socketPowerType: { type: 'string' },
  maxWatts: { type: ['number', 'null'] },
  maxVoltage: { type: ['number', 'null'] },
  maxAmperage: { type: ['number', 'null'] },
  phaseRotation: { type: 'string' },
  deviceEvseId: { type: ['integer', 'null'] },
  deviceConnectorId: { type: ['integer', 'null'] },
  lastUpdated: nullableTimestampSchema,
});

export const configurationItemSchema = recordSchema('ConfigurationItem', {
  configName: { type: 'string' },
  configValue: { type: 'string', description: 'Passwords and keys are masked.' },
  canBeChanged: { type: 'boolean' },
});

const fields = {
  chargerId: { type: 'string' },
  ...ownFields,
  state: stateSchema,
  activeConnection: { type: 'boolean', description: 'True while the charger has an open websocket.' },
  lastSeen: nullableTimestampSchema,
  lastMessage: {
    type: 'string',
    description:
      'The last received frame with secrets masked. A frame above 16 KiB is stored without insignificant white space and truncated at 16 KiB (`lastMessageTruncated`).',
  },
  connectedSince: nullableTimestampSchema,
  ocppVersion: { type: ['string', 'null'] },
  siteId: { type: 'integer' },
  siteName: { type: 'string' },
  manufacturer: { type: 'string' },
  model: { type: 'string' },
  serial: { type: 'string' },
  firmware: { type: 'string' },
  iccid: { type: 'string' },
  imsi: { type: 'string' },
  meterType: { type: 'string' },
  meterSerialNumber: { type: 'string' },
  location: locationSchema,
  sockets: { type: 'array', items: socketSchema },
  chargerConfigurations: {
    type: 'array',
    items: configurationItemSchema,
  },
  ongoingTransactions: {
    type: 'array',
    items: recordSchema('OngoingTransaction', {
      socketId: { type: 'integer' },
      transactionId: { type: 'integer' },
      evseTransactionId: { type: ['string', 'null'], description: "The charger's own id (OCPP 2.x)." },
    }),
  },
  compatibility: recordSchema('Compatibility', {
    assumeOcpp16: { type: 'boolean' },
    acceptHexKey: { type: 'boolean' },
    zonelessIsUtc: { type: 'boolean' },
    vendorFields: { type: 'boolean', description: 'Unknown fields and enum values are accepted and stored.' },
    nullFields: { type: 'boolean', description: 'Null in an optional field is the same as absent.' },
    overlongTexts: {
      type: 'boolean',
      description: 'Texts are accepted up to four times their limit, except identifiers.',
    },
    numberTexts: {
      type: 'boolean',
      description: 'Numbers and texts are converted where the conversion is exact.',
    },
    fractionalMeters: {
      type: 'boolean',
      description: 'Meter readings with a fraction of a watt-hour are rounded down.',
    },
  }),
  deviations: {
    type: 'array',
    items: recordSchema('Deviation', {
      kind: { type: 'string' },
      count: { type: 'integer' },
      lastAt: timestampSchema,
    }),
  },
  createdAt: timestampSchema,
  updatedAt: {
    ...timestampSchema,
    description: [
      'The last change of this record: registration, connection, states of sockets, sessions, boot, configuration.',
      '`lastSeen`, `lastMessage`, the counts of `deviations` and `siteName` alone do not count.',
    ].join(' '),
  },
} as const;

/** Only for a truncated frame. */
const shortenedFields = {
  lastMessageTruncated: { type: 'boolean', enum: [true], description: 'Present where lastMessage is truncated.' },
  lastMessageBytes: {
    type: 'integer',
    description: "The frame's length in bytes, where lastMessage is truncated.",
  },
} as const;

const chargerRecord = recordSchema('Charger', fields);

export const chargerSchema = {
  ...chargerRecord,
  properties: { ...fields, ...shortenedFields },
} as const;

/** Lists have the configuration only on request. */
export const listedChargerSchema = {
  title: 'ListedCharger',
  type: 'object',
  properties: { ...fields, ...shortenedFields },
  required: chargerSchema.required.filter((name) => name !== 'chargerConfigurations'),
  additionalProperties: false,
} as const;

export const socketListSchema = recordSchema('SocketList', {
  chargerId: { type: 'string' },
  sockets: { type: 'array', items: socketSchema },
});
