// The input of a client to register, change and list chargers.
import {
  chargerIdSchema,
  QUANTITY_OF_SOCKET,
  siteIdSchema,
  socketIdSchema,
  PUSH_FIELDS,
  STORED_ONLY,
  TEXT_OF_SOCKET,
  textSchema,
} from '@busbar/api';
import { INPUT_LIMITS } from '@busbar/domain';
import { ADMISSIONS, CHARGER_SORT_KEYS, CHARGING_STATES, RESERVED_CHARGER_IDS } from '@busbar/domain/chargers';
import { cursorQuerySchema, field, mapValues, withProperties } from '@busbar/http';
import { OCPP_VERSIONS } from '@busbar/ocpp';
import {
  ADMISSION,
  ALLOWED_VERSIONS,
  COMPATIBILITY,
  CUSTOM_PROPERTIES,
  customPropertiesSchema,
  locationFields,
  ownFields,
  textsSchema,
} from './charger-fields';
import { boolean, nullableTextSchema, paramsSchema, recordSchema } from './values';

const nullableQuantitySchema = { type: ['number', 'null'], minimum: 0, maximum: 10_000_000 } as const;
const nullableFlagSchema = { type: ['boolean', 'null'] } as const;
const nullableTextsSchema = { ...textsSchema, type: ['array', 'null'] } as const;

const locationInputSchema = {
  title: 'ChargerLocationInput',
  type: ['object', 'null'],
  description: 'Where the charger stands. Null: unknown.',
  properties: locationFields,
  additionalProperties: false,
} as const;

const socketFields = {
  name: field(nullableTextSchema, `${TEXT_OF_SOCKET.name} Null: none.`, 'Left'),
  type: field(nullableTextSchema, `${TEXT_OF_SOCKET.type} Null: unknown.`, 'Type2'),
  maxPower: field(nullableTextSchema, `${TEXT_OF_SOCKET.maxPower} Null: unknown.`, '22 kW'),
  format: field(nullableTextSchema, `${TEXT_OF_SOCKET.format} Null: unknown.`, 'SOCKET'),
  socketPowerType: field(nullableTextSchema, `${TEXT_OF_SOCKET.socketPowerType} Null: unknown.`, 'AC_3_PHASE'),
  maxWatts: field(nullableQuantitySchema, `${QUANTITY_OF_SOCKET.maxWatts} Null: unknown.`, 22_000),
  maxVoltage: field(nullableQuantitySchema, `${QUANTITY_OF_SOCKET.maxVoltage} Null: unknown.`, 400),
  maxAmperage: field(nullableQuantitySchema, `${QUANTITY_OF_SOCKET.maxAmperage} Null: unknown.`, 32),
  phaseRotation: field(nullableTextSchema, `${TEXT_OF_SOCKET.phaseRotation} Null: unknown.`, 'RST'),
} as const;

const socketInputSchema = recordSchema(
  'SocketInput',
  "What the operator registers of a socket, besides the charger's reports.",
  { id: socketIdSchema },
  socketFields,
);

const ownInputFields = {
  pushIntegrationEnabled: field(nullableFlagSchema, `${PUSH_FIELDS.pushIntegrationEnabled} Null: false.`),
  chargerSpecificMessageStructure: field(
    nullableFlagSchema,
    `${STORED_ONLY.chargerSpecificMessageStructure} Null: false.`,
  ),
  evseId: ownFields.evseId,
  splitEvseBySocket: field(nullableFlagSchema, `${STORED_ONLY.splitEvseBySocket} Null: false.`),
  sockets: field(
    { type: ['array', 'null'], items: socketInputSchema, maxItems: INPUT_LIMITS.items },
    'What you know of the sockets, besides the reports of the charger. Null: none.',
  ),
  capabilities: field(nullableTextsSchema, `${STORED_ONLY.capabilities} Null: none.`),
  physicalReference: ownFields.physicalReference,
  integrationRelays: field(nullableTextsSchema, `${PUSH_FIELDS.integrationRelays} Null: none.`),
  customProperties: field({ ...customPropertiesSchema, type: ['object', 'null'] }, `${CUSTOM_PROPERTIES} Null: none.`),
  admission: field({ type: ['string', 'null'], enum: [...ADMISSIONS, null] }, `${ADMISSION} Null: accept.`, 'accept'),
  chargingNeeds: ownFields.chargingNeeds,
} as const;

export const chargerInputSchema = {
  ...recordSchema(
    'ChargerInput',
    'A charger to register. Null is the same as absent, also in location and sockets.',
    {
      chargerId: field(chargerIdSchema, `${chargerIdSchema.description} Reserved: ${RESERVED_CHARGER_IDS.join(', ')}.`),
      name: ownFields.name,
    },
    {
      ...ownInputFields,
      siteId: field(
        { ...siteIdSchema, type: ['integer', 'null'] },
        "Id of the site of the charger. Null: the client's oldest site.",
      ),
      location: locationInputSchema,
    },
  ),
  examples: [
    {
      chargerId: 'ACME_1',
      name: 'Quay',
      siteId: 1,
      location: { latitude: 59.9075, longitude: 10.7235, city: 'Oslo' },
      sockets: [{ id: 1, type: 'Type2', maxPower: '22 kW' }],
    },
  ],
} as const;

const socketsInputSchema = { type: 'array', items: socketInputSchema, maxItems: INPUT_LIMITS.items } as const;

const compatibilityPatchSchema = {
  title: 'CompatibilityPatch',
  description:
    "Switches for deviations of chargers from OCPP. They apply from the charger's next connection. Null: the defaults.",
  type: ['object', 'null'],
  properties: {
    ...mapValues(COMPATIBILITY, (meaning) => field(nullableFlagSchema, `${meaning} Null: the default.`)),
    ocppVersions: field(
      {
        type: ['array', 'null'],
        items: { type: 'string', enum: OCPP_VERSIONS },
        maxItems: OCPP_VERSIONS.length,
      },
      `${ALLOWED_VERSIONS} Null: all.`,
      ['ocpp1.6'],
    ),
  },
  additionalProperties: false,
} as const;

/** Absent fields keep their value, null clears. The chargerId never changes. */
export const chargerPatchSchema = {
  title: 'ChargerPatch',
  description:
    'Changes of a charger. Absent fields keep their value, and null clears a field; this also holds within location and compatibility. Sockets, lists and customProperties are replaced as a whole.',
  type: 'object',
  properties: {
    name: ownFields.name,
    siteId: field(siteIdSchema, 'Moves the charger to this site.'),
    location: locationInputSchema,
    ...ownInputFields,
    compatibility: compatibilityPatchSchema,
  },
  additionalProperties: false,
  examples: [{ name: 'Quay, left', evseId: 'NO*ACM*E1', location: { streetAddress: 'Quayside' } }],
} as const;

export const socketListInputSchema = {
  ...recordSchema('SocketListInput', 'All registered sockets of a charger.', {
    sockets: field(socketsInputSchema, 'The sockets. Those that are not listed lose their registration.'),
  }),
  examples: [
    {
      sockets: [
        { id: 1, name: 'Left', type: 'Type2', maxPower: '22 kW', maxWatts: 22_000 },
        { id: 2, name: 'Right', type: 'Type2', maxPower: '22 kW', maxWatts: 22_000 },
      ],
    },
  ],
} as const;

export const socketPatchSchema = {
  title: 'SocketPatch',
  description: 'Changes of a registered socket. Absent fields keep their value. Null clears a field.',
  type: 'object',
  properties: socketFields,
  additionalProperties: false,
  examples: [{ name: 'Left', maxAmperage: 32 }],
} as const;

export const socketParamsSchema = paramsSchema({ chargerId: chargerIdSchema, socketId: socketIdSchema });

const wordSchema = { ...textSchema, minLength: 1 } as const;

export const chargerQuerySchema = withProperties(
  cursorQuerySchema(CHARGER_SORT_KEYS, 'by chargerId', 'the beginning of the chargerId or the name, without case'),
  {
    siteId: field(siteIdSchema, 'Chargers of this site.'),
    externalSiteId: field(wordSchema, 'Chargers of the site with this `externalId`.'),
    includeSubsites: field(boolean, 'Includes chargers of the sites below. Default false.'),
    manufacturer: field(wordSchema, 'Chargers that reported exactly this manufacturer.'),
    model: field(wordSchema, 'Chargers that reported exactly this model.'),
    state: field({ type: 'string', enum: CHARGING_STATES }, 'Chargers in this state.'),
    activeConnection: field(boolean, 'True: connected chargers. False: the others.'),
    ocppVersion: field({ type: 'string', enum: OCPP_VERSIONS }, 'The OCPP version of the current or last connection.'),
    includeChargerConfigurations: field(boolean, 'Includes chargerConfigurations. Default false.'),
  },
);
