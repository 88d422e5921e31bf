import { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from '@busbar/domain';
import { chargerIdSchema, nameSchema, siteIdSchema, socketIdSchema, textSchema } from '@busbar/api';
import { CHARGER_SORT_KEYS, CHARGING_STATES, RESERVED_CHARGER_IDS } from '@busbar/domain/chargers';
import { pageQuerySchema } from '@busbar/http';
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

/** Null: nothing is said. */
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
  description: "What an operator knows of a socket before or beside the charger's reports.",
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

/** What the owner says of a charger; it comes back in the record. */
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

/** Null: what is there when nothing is said. */
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
  description: 'Null is the same as absent, also within location and sockets.',
  type: 'object',
  properties: {
    chargerId: {
      ...chargerIdSchema,
      description: `${chargerIdSchema.description} Reserved: ${RESERVED_CHARGER_IDS.join(', ')}.`,
    },
    name: nameSchema,
    ...ownInputFields,
    siteId: { ...siteIdSchema, type: ['integer', 'null'], description: "Without it the client's oldest site." },
    location: locationInputSchema,
  },
  required: ['chargerId', 'name'],
  additionalProperties: false,
} as const;

const socketsInputSchema = { type: 'array', items: socketInputSchema, maxItems: INPUT_LIMITS.items } as const;

/** Absent keeps, null clears. The chargerId never changes. */
export const chargerPatchSchema = {
  title: 'ChargerPatch',
  description:
    'What is absent stays as it is; null clears. Fields of location and of compatibility likewise; sockets, lists and customProperties are replaced whole.',
  type: 'object',
  properties: {
    name: nameSchema,
    siteId: { ...siteIdSchema, description: 'Moves the charger.' },
    location: { ...locationInputSchema, title: 'ChargerLocationPatch' },
    ...ownInputFields,
    compatibility: {
      title: 'CompatibilityPatch',
      description: "Switches for what real chargers get wrong. They count from the charger's next connection on.",
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
  description: 'What is absent stays as it is; null clears.',
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

const pageQuery = pageQuerySchema(CHARGER_SORT_KEYS);
const wordSchema = { ...textSchema, minLength: 1 } as const;

export const chargerQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    siteId: siteIdSchema,
    externalSiteId: { ...wordSchema, description: "The externalId of the charger's site." },
    includeSubsites: { type: 'boolean', description: 'Also chargers of the sites below those named.' },
    manufacturer: wordSchema,
    model: wordSchema,
    state: stateSchema,
    activeConnection: { type: 'boolean' },
    ocppVersion: {
      type: 'string',
      enum: OCPP_VERSIONS,
      description: 'What the charger speaks, or spoke when it was last connected, as the record shows it.',
    },
    includeChargerConfigurations: { type: 'boolean', description: 'Without it chargerConfigurations is left out.' },
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
    description: 'What the charger was last told and has done; null where it was told nothing.',
  },
  scheduledAvailability: {
    ...availabilitySchema,
    description: 'What it was told and will do when what is under way has ended.',
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
  activeConnection: { type: 'boolean', description: 'True while the charger has a websocket open to the service.' },
  lastSeen: nullableTimestampSchema,
  lastMessage: {
    type: 'string',
    description:
      'The last frame received, secrets masked. Above 16 KiB without insignificant white space, cut at 16 KiB (`lastMessageTruncated`).',
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
    vendorFields: { type: 'boolean', description: 'Fields and enum values that the standard does not know are kept.' },
    nullFields: { type: 'boolean', description: 'null in an optional field is as if the field were absent.' },
    overlongTexts: {
      type: 'boolean',
      description: 'Texts are kept up to four times their limit. Identifiers never are.',
    },
    numberTexts: {
      type: 'boolean',
      description: 'Numbers and texts are converted into each other where that is exact.',
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
  updatedAt: timestampSchema,
} as const;

/** Only where the frame was too large to be kept whole. */
const shortenedFields = {
  lastMessageTruncated: { type: 'boolean', enum: [true], description: 'Present where lastMessage is shortened.' },
  lastMessageBytes: {
    type: 'integer',
    description: "The frame's true length in bytes, where lastMessage is shortened.",
  },
} as const;

const chargerRecord = recordSchema('Charger', fields);

export const chargerSchema = {
  ...chargerRecord,
  properties: { ...fields, ...shortenedFields },
} as const;

/** In lists the configuration comes only when it is asked for. */
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
