import { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from '@busbar/domain';
import {
  chargerIdSchema,
  chargingStateSchema,
  nameSchema,
  siteIdSchema,
  socketIdSchema,
  STORED_ONLY,
  textSchema,
} from '@busbar/api';
import { CHARGER_SORT_KEYS, CHARGING_STATES, RESERVED_CHARGER_IDS } from '@busbar/domain/chargers';
import { field, cursorQuerySchema } from '@busbar/http';
import { OCPP_VERSIONS } from '@busbar/ocpp';
import {
  boolean,
  common,
  integer,
  latitudeSchema,
  longitudeSchema,
  nullableInteger,
  nullableNumber,
  nullableString,
  nullableTextSchema,
  nullableTimestampSchema,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const textsSchema = { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items } as const;
const nullableQuantitySchema = { type: ['number', 'null'], minimum: 0, maximum: 10_000_000 } as const;
const nullableFlagSchema = { type: ['boolean', 'null'] } as const;
const nullableTextsSchema = { ...textsSchema, type: ['array', 'null'] } as const;

const locationFields = {
  latitude: latitudeSchema,
  longitude: longitudeSchema,
  streetAddress: field(nullableTextSchema, 'Street. Null: unknown.', 'Quayside'),
  streetNumber: field(nullableTextSchema, 'Number in the street. Null: unknown.', '1'),
  houseLetter: field(nullableTextSchema, 'Letter after the number. Null: none.', null),
  postalNumber: field(nullableTextSchema, 'Postal code. Null: unknown.', '0150'),
  city: field(nullableTextSchema, 'City. Null: unknown.', 'Oslo'),
  area: field(nullableTextSchema, 'Part of the city, or region. Null: unknown.', null),
  country: field(nullableTextSchema, 'Country, such as its ISO 3166-1 code. Null: unknown.', 'NO'),
} as const;

const locationInputSchema = {
  title: 'ChargerLocationInput',
  type: ['object', 'null'],
  description: 'Where the charger stands. Null: unknown.',
  properties: locationFields,
  additionalProperties: false,
} as const;

const TEXT_OF_SOCKET = {
  name: 'Name of the socket, such as its label.',
  type: 'Type of the socket, such as Type2 or CCS.',
  maxPower: 'Maximum power as text, with its unit.',
  format: 'SOCKET, CABLE or a word of your own.',
  socketPowerType: 'Kind of current, such as AC_3_PHASE or DC.',
  phaseRotation: 'Order of the phases, such as RST.',
} as const;
const QUANTITY_OF_SOCKET = {
  maxWatts: 'Maximum power in W.',
  maxVoltage: 'Maximum voltage in V.',
  maxAmperage: 'Maximum current in A, of each phase.',
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

const CUSTOM_PROPERTIES = 'Your own fields: texts, numbers, booleans or null, by name.';
const PHYSICAL_REFERENCE = 'What is written on the charger or its place. Null: none.';

const customPropertiesSchema = {
  type: 'object',
  description: CUSTOM_PROPERTIES,
  maxProperties: INPUT_LIMITS.items,
  propertyNames: { pattern: PROPERTY_NAME_PATTERN },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: INPUT_LIMITS.customValue },
  examples: [{ contract: 'A-112' }],
} as const;

/** The owner's fields, which the record repeats. */
const ownFields = {
  name: field(nameSchema, 'Name of the charger.', 'Quay'),
  pushIntegrationEnabled: field(boolean, STORED_ONLY.pushIntegrationEnabled, false),
  chargerSpecificMessageStructure: field(boolean, STORED_ONLY.chargerSpecificMessageStructure, false),
  evseId: field(nullableTextSchema, `${STORED_ONLY.evseId} Null: none.`, 'NO*ACM*E1'),
  splitEvseBySocket: field(boolean, STORED_ONLY.splitEvseBySocket, false),
  capabilities: field(textsSchema, STORED_ONLY.capabilities, ['RESERVABLE']),
  physicalReference: field(nullableTextSchema, PHYSICAL_REFERENCE, 'P1'),
  integrationRelays: field(textsSchema, STORED_ONLY.integrationRelays, []),
  customProperties: customPropertiesSchema,
} as const;

const ownInputFields = {
  pushIntegrationEnabled: field(nullableFlagSchema, `${STORED_ONLY.pushIntegrationEnabled} Null: false.`),
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
  integrationRelays: field(nullableTextsSchema, `${STORED_ONLY.integrationRelays} Null: none.`),
  customProperties: field({ ...customPropertiesSchema, type: ['object', 'null'] }, `${CUSTOM_PROPERTIES} Null: none.`),
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

const COMPATIBILITY = {
  assumeOcpp16: 'Assumes OCPP 1.6 for a connection that offers no subprotocol.',
  acceptHexKey: 'Accepts the hexadecimal digits of the key as the password.',
  zonelessIsUtc: 'Reads timestamps without a zone as UTC.',
  vendorFields: 'Accepts and stores unknown fields and enum values.',
  nullFields: 'Treats null in an optional field as absent.',
  overlongTexts: 'Accepts texts up to four times their limit, except identifiers.',
  numberTexts: 'Converts numbers and texts where the conversion is exact.',
  fractionalMeters: 'Rounds meter readings with a fraction of a watt-hour down.',
} as const;

const flag = (name: keyof typeof COMPATIBILITY) => field(boolean, COMPATIBILITY[name], name !== 'assumeOcpp16');
const nullableFlag = (name: keyof typeof COMPATIBILITY) =>
  field(nullableFlagSchema, `${COMPATIBILITY[name]} Null: the default.`);

const compatibilityPatchSchema = {
  title: 'CompatibilityPatch',
  description:
    "Switches for deviations of chargers from OCPP. They apply from the charger's next connection. Null: the defaults.",
  type: ['object', 'null'],
  properties: {
    assumeOcpp16: nullableFlag('assumeOcpp16'),
    acceptHexKey: nullableFlag('acceptHexKey'),
    zonelessIsUtc: nullableFlag('zonelessIsUtc'),
    vendorFields: nullableFlag('vendorFields'),
    nullFields: nullableFlag('nullFields'),
    overlongTexts: nullableFlag('overlongTexts'),
    numberTexts: nullableFlag('numberTexts'),
    fractionalMeters: nullableFlag('fractionalMeters'),
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

const pageQuery = cursorQuerySchema(
  CHARGER_SORT_KEYS,
  'by chargerId',
  'the beginning of the chargerId or the name, without case',
);
const wordSchema = { ...textSchema, minLength: 1 } as const;

export const chargerQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
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
} as const;

const locationSchema = recordSchema('ChargerLocation', 'Where the charger stands.', locationFields);

const availabilitySchema = { type: ['string', 'null'], enum: ['Operative', 'Inoperative', null] } as const;

const unknown = 'Empty: not registered.';

const socketSchema = recordSchema('Socket', 'A socket: its registration and what the charger reported of it.', {
  id: common.socketId,
  name: field(string, `${TEXT_OF_SOCKET.name} ${unknown}`, 'Left'),
  type: field(string, `${TEXT_OF_SOCKET.type} ${unknown}`, 'Type2'),
  maxPower: field(string, `${TEXT_OF_SOCKET.maxPower} ${unknown}`, '22 kW'),
  status: chargingStateSchema,
  errorCode: field(string, 'Error code of the last status. Empty: no error.', ''),
  availability: field(availabilitySchema, 'The availability that the last command set. Null: without a command.', null),
  scheduledAvailability: field(
    availabilitySchema,
    'The availability that follows when the session in progress ends. Null: none.',
    null,
  ),
  format: field(string, `${TEXT_OF_SOCKET.format} ${unknown}`, 'SOCKET'),
  socketPowerType: field(string, `${TEXT_OF_SOCKET.socketPowerType} ${unknown}`, 'AC_3_PHASE'),
  maxWatts: field(nullableNumber, `${QUANTITY_OF_SOCKET.maxWatts} Null: not registered.`, 22_000),
  maxVoltage: field(nullableNumber, `${QUANTITY_OF_SOCKET.maxVoltage} Null: not registered.`, 400),
  maxAmperage: field(nullableNumber, `${QUANTITY_OF_SOCKET.maxAmperage} Null: not registered.`, 32),
  phaseRotation: field(string, `${TEXT_OF_SOCKET.phaseRotation} ${unknown}`, 'RST'),
  deviceEvseId: field(nullableInteger, 'Number of the EVSE in OCPP 2.x. Null: OCPP 1.6.', null),
  deviceConnectorId: field(nullableInteger, 'Number of the connector in OCPP. Null: not reported yet.', 1),
  lastUpdated: field(nullableTimestampSchema, 'Time of the last status. Null: not reported yet.'),
});

export const configurationItemSchema = recordSchema('ConfigurationItem', "An item of the charger's configuration.", {
  configName: field(string, 'Configuration key of OCPP.', 'HeartbeatInterval'),
  configValue: field(string, 'The value as text. Passwords and keys are masked.', '600'),
  canBeChanged: field(boolean, 'False: read-only.', true),
});

const compatibilitySchema = recordSchema('Compatibility', 'Which deviations of the charger from OCPP are tolerated.', {
  assumeOcpp16: flag('assumeOcpp16'),
  acceptHexKey: flag('acceptHexKey'),
  zonelessIsUtc: flag('zonelessIsUtc'),
  vendorFields: flag('vendorFields'),
  nullFields: flag('nullFields'),
  overlongTexts: flag('overlongTexts'),
  numberTexts: flag('numberTexts'),
  fractionalMeters: flag('fractionalMeters'),
});

const ongoingSchema = recordSchema('OngoingTransaction', 'A session in progress.', {
  socketId: common.socketId,
  transactionId: common.transactionId,
  evseTransactionId: field(nullableString, "The charger's own id (OCPP 2.x). Null: OCPP 1.6.", null),
});

const deviationSchema = recordSchema('Deviation', 'A kind of deviation from OCPP.', {
  kind: field(string, 'The kind, as listed in docs/ocpp-1.6.md.', 'zoneless_timestamp'),
  count: field(integer, 'How often the charger did it.', 3),
  lastAt: field(timestampSchema, 'When it last did it.'),
});

const reportedText = (what: string, example: string) => field(string, `${what} Empty: not reported.`, example);

const fields = {
  chargerId: common.chargerId,
  ...ownFields,
  state: chargingStateSchema,
  activeConnection: field(boolean, 'True while the charger has an open websocket.', true),
  lastSeen: field(nullableTimestampSchema, 'Receipt of the last message of the charger. Null: none yet.'),
  lastMessage: field(
    string,
    'The last received frame with secrets masked. Empty: none yet. A frame above 16 KiB is stored without insignificant white space and truncated at 16 KiB (`lastMessageTruncated`).',
    '[2,"19223201","Heartbeat",{}]',
  ),
  connectedSince: field(nullableTimestampSchema, 'When the websocket was opened. Null: not connected.'),
  ocppVersion: field(nullableString, 'OCPP version of the current or last connection. Null: none yet.', 'ocpp1.6'),
  siteId: common.siteId,
  siteName: field(string, 'Name of the site.', 'Harbour'),
  manufacturer: reportedText('Manufacturer, as the charger reported it.', 'ACME'),
  model: reportedText('Model, as the charger reported it.', 'Wallbox 22'),
  serial: reportedText('Serial number, as the charger reported it.', 'AC-000117'),
  firmware: reportedText('Firmware version, as the charger reported it.', '2.1.0'),
  iccid: reportedText('ICCID of the SIM card.', ''),
  imsi: reportedText('IMSI of the SIM card.', ''),
  meterType: reportedText('Type of the main meter.', ''),
  meterSerialNumber: reportedText('Serial number of the main meter.', ''),
  location: locationSchema,
  sockets: field(
    { type: 'array', items: socketSchema },
    'The sockets that are registered or reported. Empty: none yet.',
  ),
  chargerConfigurations: field(
    { type: 'array', items: configurationItemSchema },
    "The charger's configuration, as last reported. Empty: not reported yet.",
  ),
  ongoingTransactions: field({ type: 'array', items: ongoingSchema }, 'Sessions in progress.'),
  compatibility: compatibilitySchema,
  deviations: field({ type: 'array', items: deviationSchema }, 'Deviations from OCPP that were tolerated.'),
  createdAt: common.createdAt,
  updatedAt: field(
    timestampSchema,
    [
      'The last change of this record: registration, connection, states of sockets, sessions, boot, configuration.',
      '`lastSeen`, `lastMessage`, the counts of `deviations` and `siteName` alone do not count.',
    ].join(' '),
  ),
} as const;

/** Only for a truncated frame. */
const shortenedFields = {
  lastMessageTruncated: field({ type: 'boolean', enum: [true] }, 'Present where lastMessage is truncated.'),
  lastMessageBytes: field(integer, "The frame's length in bytes, where lastMessage is truncated."),
} as const;

export const chargerSchema = recordSchema(
  'Charger',
  'The charger: its registration, its connection and its reports.',
  fields,
  shortenedFields,
);

/** Lists have the configuration only on request. */
export const listedChargerSchema = {
  title: 'ListedCharger',
  type: 'object',
  description: 'A charger in a list. It has chargerConfigurations only on request.',
  properties: { ...fields, ...shortenedFields },
  required: chargerSchema.required.filter((name) => name !== 'chargerConfigurations'),
  additionalProperties: false,
} as const;

export const socketListSchema = recordSchema('SocketList', 'The sockets of the charger.', {
  chargerId: common.chargerId,
  sockets: fields.sockets,
});
