import { INPUT_LIMITS } from '@busbar/domain';
import {
  chargingStateSchema,
  nameSchema,
  socketIdSchema,
  PUSH_FIELDS,
  STORED_ONLY,
  TEXT_OF_LOCATION,
  TEXT_OF_SOCKET,
  textSchema,
} from '@busbar/api';
import { field } from '@busbar/http';
import { boolean, common, count, groupIdSchema, integer, recordSchema, string } from './values';

const textsSchema = { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items } as const;

const locationInputSchema = {
  title: 'LocationInfoInput',
  type: 'object',
  description: 'Where the charger stands. Unknown fields are ignored.',
  properties: {
    latitude: field({ type: 'number', minimum: -90, maximum: 90 }, 'Latitude in degrees (WGS 84).', 59.9075),
    longitude: field({ type: 'number', minimum: -180, maximum: 180 }, 'Longitude in degrees (WGS 84).', 10.7235),
    streetAddress: field(textSchema, TEXT_OF_LOCATION.streetAddress, 'Quayside'),
    streetNumber: field(textSchema, TEXT_OF_LOCATION.streetNumber, '1'),
    houseLetter: field(textSchema, TEXT_OF_LOCATION.houseLetter, 'B'),
    postalNumber: field(textSchema, TEXT_OF_LOCATION.postalNumber, '0150'),
    city: field(textSchema, TEXT_OF_LOCATION.city, 'Oslo'),
    area: field(textSchema, TEXT_OF_LOCATION.area, 'Centre'),
    country: field(textSchema, TEXT_OF_LOCATION.country, 'NO'),
  },
} as const;

const socketInputSchema = {
  title: 'SocketInput',
  type: 'object',
  description: 'What you know of a socket, besides the reports of the charger. Unknown fields are ignored.',
  properties: {
    id: socketIdSchema,
    name: field(textSchema, TEXT_OF_SOCKET.name, 'Left'),
    type: field(textSchema, TEXT_OF_SOCKET.type, 'Type2'),
    maxPower: field(textSchema, TEXT_OF_SOCKET.maxPower, '22 kW'),
  },
  required: ['id'],
} as const;

const fields = {
  chargerName: field(nameSchema, 'Name of the charger.', 'Quay'),
  locationInfo: locationInputSchema,
  pushIntegrationEnabled: field(boolean, PUSH_FIELDS.pushIntegrationEnabled, false),
  chargerSpecificMessageStructure: field(boolean, STORED_ONLY.chargerSpecificMessageStructure, false),
  sockets: field(
    { type: 'array', maxItems: INPUT_LIMITS.items, items: socketInputSchema },
    'What you know of the sockets, besides the reports of the charger.',
  ),
  evseId: field(textSchema, STORED_ONLY.evseId, 'NO*ACM*E1'),
  splitEvseBySocket: field(boolean, STORED_ONLY.splitEvseBySocket, false),
  capabilities: field(textsSchema, STORED_ONLY.capabilities, ['RESERVABLE']),
  integrationRelays: field(textsSchema, PUSH_FIELDS.integrationRelays, []),
} as const;

/** Unknown fields are ignored. */
export const chargerInputSchema = {
  title: 'ChargerInput',
  description: 'A charger to register. Unknown fields are ignored.',
  type: 'object',
  properties: fields,
  required: ['chargerName'],
  examples: [
    {
      chargerName: 'Quay',
      locationInfo: { latitude: 59.9075, longitude: 10.7235, city: 'Oslo' },
      sockets: [{ id: 1, type: 'Type2', maxPower: '22 kW' }],
    },
  ],
} as const;

export const chargerChangeSchema = {
  title: 'ChargerChange',
  description: 'Changes of a charger. Absent fields keep their value. Lists are replaced as a whole.',
  type: 'object',
  properties: { ...fields, groupId: field(groupIdSchema, 'Moves the charger to this group.') },
  examples: [{ chargerName: 'Quay, left' }],
} as const;

const socketSchema = recordSchema(
  'Socket',
  'A socket: its registration and what the charger reported of it.',
  {
    type: field(string, `${TEXT_OF_SOCKET.type} Empty: not registered.`, 'Type2'),
    maxPower: field(string, `${TEXT_OF_SOCKET.maxPower} Empty: not registered.`, '22 kW'),
    status: chargingStateSchema,
    id: field(integer, 'Number of the socket (OCPP connector), from 1.', 1),
  },
  {
    name: field(string, `${TEXT_OF_SOCKET.name} Absent: not registered.`, 'Left'),
    lastUpdated: field(
      string,
      'Time of the last status: RFC 3339 in UTC. Absent: not reported yet.',
      '2026-01-31T12:00:00.000Z',
    ),
    errorCode: field(string, 'Error code of the last status. Empty: no error. Absent: not reported yet.', ''),
  },
);

const configurationItemSchema = recordSchema('ChargerConfiguration', "An item of the charger's configuration.", {
  configName: field(string, 'Configuration key of OCPP.', 'HeartbeatInterval'),
  configValue: field(string, 'The value as text. Passwords and keys are masked.', '600'),
  canBeChanged: field(boolean, 'False: read-only.', true),
});

export const chargerSchema = recordSchema('Charger', 'The status record of the charger.', {
  chargerId: common.chargerId,
  chargerName: field(string, 'Name of the charger.', 'Quay'),
  firmwareVersion: field(string, 'Firmware version. Empty: not reported yet.', '2.1.0'),
  manufacturer: field(string, 'Manufacturer. Empty: not reported yet.', 'ACME'),
  serialNumber: field(string, 'Serial number. Empty: not reported yet.', 'AC-000117'),
  chargerModel: field(string, 'Model. Empty: not reported yet.', 'Wallbox 22'),
  amountOfSockets: field(count, 'Number of sockets.', 1),
  lastSeen: field(
    string,
    'Receipt of the last message: RFC 3339 in UTC; empty before the first message.',
    '2026-01-31T12:00:00.000Z',
  ),
  lastMessage: field(
    string,
    'The last received frame with secrets masked, truncated at 16 KiB. Empty: none yet.',
    '[2,"19223201","Heartbeat",{}]',
  ),
  activeConnection: field(boolean, 'True while the charger has an open websocket.', true),
  locationInfo: {
    ...locationInputSchema,
    title: 'LocationInfo',
    description: 'Where the charger stands. Unknown parts are absent.',
    additionalProperties: false,
  },
  pushIntegrationEnabled: fields.pushIntegrationEnabled,
  chargerSpecificMessageStructure: fields.chargerSpecificMessageStructure,
  chargerConfigurations: field(
    { type: 'array', items: configurationItemSchema },
    "The charger's configuration, as last reported. Empty: not reported yet.",
  ),
  sockets: field(
    { type: 'array', items: socketSchema },
    'The sockets that are registered or reported. Empty: none yet.',
  ),
  groupId: common.groupId,
  groupName: common.groupName,
  chargerStatus: chargingStateSchema,
  ocppVersion: field(string, 'OCPP version of the current or last connection. Empty: none yet.', 'ocpp1.6'),
});

export const chargerListSchema = {
  title: 'ChargerList',
  type: 'array',
  description: 'The status records, by chargerId.',
  items: chargerSchema,
} as const;
