import { chargingStateSchema, QUANTITY_OF_SOCKET, TEXT_OF_SOCKET } from '@busbar/api';
import { DEFAULT_COMPATIBILITY } from '@busbar/domain/chargers';
import { field, mapValues } from '@busbar/http';
import { ALLOWED_VERSIONS, COMPATIBILITY, locationFields, ownFields } from './charger-fields';
import {
  boolean,
  common,
  integer,
  nullableInteger,
  nullableNumber,
  nullableString,
  nullableTimestampSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

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
  vendorErrorCode: field(string, "The vendor's error code in the last status. Empty: none.", ''),
  info: field(string, 'Further information of the charger in the last status. Empty: none.', ''),
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
  changedAt: field(
    nullableTimestampSchema,
    'When the service noticed the last change of the value: by a command, or against what the charger had reported before. Null: it noticed none.',
  ),
});

const compatibilitySchema = recordSchema('Compatibility', 'Which deviations of the charger from OCPP are tolerated.', {
  ...mapValues(COMPATIBILITY, (meaning, name) => field(boolean, meaning, DEFAULT_COMPATIBILITY[name])),
  ocppVersions: field({ type: 'array', items: string }, ALLOWED_VERSIONS, []),
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
  bootReason: field(
    nullableString,
    'Why it booted last, in the words of OCPP 2.x. Null: OCPP 1.6, or no boot yet.',
    'PowerUp',
  ),
  securityProfile: field(
    integer,
    'The security profile of OCPP that its credentials require: 0 none, 1 a password, 2 with TLS, 3 a client certificate.',
    1,
  ),
  authenticationSetAt: field(
    nullableTimestampSchema,
    'When the security profile and the password were last set or removed, or changed by a key or network profile that a command gave the charger. Null: never, or before this was recorded.',
  ),
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
      '`lastSeen`, `lastMessage`, the counts of `deviations`, `siteName`, and `securityProfile` and `authenticationSetAt` where a command',
      'changed them, alone do not count.',
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

export const evseListSchema = {
  title: 'EvseList',
  type: 'array',
  description: 'The EVSEs of the charger, by number.',
  items: recordSchema('Evse', 'A place where one vehicle charges at a time.', {
    evseId: field(integer, 'Number of the EVSE in OCPP 2.x. OCPP 1.6: of the socket.', 1),
    state: chargingStateSchema,
    sockets: field({ type: 'array', items: integer }, 'Ids of its sockets.', [1]),
  }),
} as const;

export const socketListSchema = recordSchema('SocketList', 'The sockets of the charger.', {
  chargerId: common.chargerId,
  sockets: fields.sockets,
});
