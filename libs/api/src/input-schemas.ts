// Common parts of the schemas of both APIs. `x-error-code` is the error code of an invalid value; default invalid_request.
import { CHARGER_ID_MESSAGE, CHARGER_ID_PATTERN, CHARGER_ID_RULE, CHARGING_STATES } from '@busbar/domain/chargers';
import { INPUT_LIMITS, NOT_BLANK_PATTERN } from '@busbar/domain';
import { ID_TAG_PATTERN } from '@busbar/domain/tags';

export const nameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: INPUT_LIMITS.name,
  pattern: NOT_BLANK_PATTERN,
} as const;

export const textSchema = { type: 'string', maxLength: INPUT_LIMITS.text } as const;

export const chargerIdSchema = {
  type: 'string',
  pattern: CHARGER_ID_PATTERN,
  description: `The identifier that is configured in the charger. It is unique across the whole service. It ${CHARGER_ID_RULE}`,
  examples: ['ACME_1'],
  'x-pattern-message': CHARGER_ID_MESSAGE,
  'x-error-code': 'invalid_charger_id',
} as const;

export const siteIdSchema = {
  type: 'integer',
  minimum: 1,
  // Larger numbers lose digits in JSON.
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of a site of this client.',
  examples: [1],
  'x-error-code': 'invalid_site_id',
} as const;

export const socketIdSchema = {
  type: 'integer',
  minimum: 1,
  maximum: INPUT_LIMITS.socketId,
  description: 'Number of the socket (OCPP connector), from 1.',
  examples: [1],
} as const;

/** The service assigns them as OCPP integers of 32 bits. */
export const transactionIdSchema = {
  type: 'integer',
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The id that the service gave to the OCPP transaction.',
  examples: [1],
} as const;

/** One that is longer than the charger's version can carry is refused when the call is encoded. */
export const rfidTagSchema = {
  type: 'string',
  pattern: ID_TAG_PATTERN,
  description:
    'RFID tag: 1 to 255 printable ASCII characters, compared without case. OCPP 1.6 carries at most 20, 2.0.1 at most 36.',
  examples: ['04E91C5A123B80'],
} as const;

/** OCPP 1.6 6.6 has CiString50Type; a name of OCPP 2.x has several parts. The longer ones are refused for a charger of 1.6. */
export const configNameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: [
    'Configuration key of OCPP 1.6, at most 50 characters; in OCPP 2.x a variable as `Component.Variable`, or its usual name in 1.6.',
    'Compared without case.',
  ].join(' '),
  examples: ['HeartbeatInterval'],
} as const;

/** OCPP 1.6 6.6 has CiString500Type; 2.1 has 2,500 characters. */
export const configValueSchema = {
  type: 'string',
  maxLength: 2_500,
  description: 'The value as text, in the unit that OCPP defines for the key. OCPP 1.6 carries at most 500 characters.',
  examples: ['600'],
} as const;

export const commandTimeoutSchema = {
  type: 'integer',
  minimum: 1,
  maximum: INPUT_LIMITS.commandTimeoutS,
  description: "Seconds to wait for the charger's response. Default: a setting of the service (30).",
} as const;

/** A ULID. */
export const commandIdSchema = {
  type: 'string',
  minLength: 26,
  maxLength: 26,
  description: 'The id of a stored command.',
  examples: ['01JAX5Z3V8Q2M7R4T6W9Y0BCDE'],
} as const;

/** The charging state of a socket, or of a charger. */
export const chargingStateSchema = {
  title: 'ChargingState',
  type: 'string',
  enum: CHARGING_STATES,
  description: [
    'State of a socket or charger. `Offline`: without a connection. `Booting`: before the first status after a connection.',
    '`SuspendedCAR` and `SuspendedCHARGER`: the car or the charger draws no energy in a session. `Error`: faulted.',
    '`Info`: a status that OCPP does not define, which `errorCode` names. The others are states of OCPP.',
    'The state of a charger is that of its most active socket, unless the charger itself is offline or unavailable.',
  ].join(' '),
  examples: ['Available'],
} as const;

/** Fields of both APIs that are stored and returned only. */
export const STORED_ONLY = {
  chargerSpecificMessageStructure: 'Stored and returned only: it has no effect in this version.',
  evseId: 'Id of the EVSE, such as an eMI3 id. Stored and returned only.',
  splitEvseBySocket: 'Whether each socket is an EVSE of its own. Stored and returned only.',
  capabilities: 'Capabilities of the charger, in words of your own. Stored and returned only.',
} as const;

/** Fields of both APIs that decide which webhooks in a push format get messages of the charger. */
export const PUSH_FIELDS = {
  pushIntegrationEnabled:
    'Whether webhooks in the formats `push-v1` and `push-v2` get messages of this charger. The standard format gets its events anyway.',
  integrationRelays:
    'Descriptions of the webhooks in push formats that get messages of this charger. Empty: all of them. Names of relays in your own systems too.',
} as const;

/** Texts of a charger's location. Each API adds the meaning of an absent value. */
export const TEXT_OF_LOCATION = {
  streetAddress: 'Street.',
  streetNumber: 'Number in the street.',
  houseLetter: 'Letter after the number.',
  postalNumber: 'Postal code.',
  city: 'City.',
  area: 'Part of the city, or region.',
  country: 'Country, such as its ISO 3166-1 code.',
} as const;

/** Texts of a registered socket, without its quantities. */
export const TEXT_OF_SOCKET = {
  name: 'Name of the socket, such as its label.',
  type: 'Type of the socket, such as Type2 or CCS.',
  maxPower: 'Maximum power as text, with its unit.',
  format: 'SOCKET, CABLE or a word of your own.',
  socketPowerType: 'Kind of current, such as AC_3_PHASE or DC.',
  phaseRotation: 'Order of the phases, such as RST.',
} as const;

export const QUANTITY_OF_SOCKET = {
  maxWatts: 'Maximum power in W.',
  maxVoltage: 'Maximum voltage in V.',
  maxAmperage: 'Maximum current in A, of each phase.',
} as const;
