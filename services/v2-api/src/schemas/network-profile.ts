// The network profile of a charger, in OCPP's own field names. The limits are those of OCPP 2.1; the encoding has those of the version.
import { field } from '@busbar/http';
import { APN_AUTHENTICATIONS, NETWORK_INTERFACES, VPN_TYPES } from '@busbar/ocpp';
import { boolean, recordSchema } from './values';

const MAX_INTEGER = 2_147_483_647;

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;
const login = text(50);
const secret = text(64);
const address = text(2_000);

const apnSchema = recordSchema(
  'NetworkProfileApn',
  'The access point of a mobile network.',
  {
    apn: field(address, 'Address of the access point.', 'internet'),
    apnAuthentication: field({ type: 'string', enum: APN_AUTHENTICATIONS }, 'How the charger authenticates.', 'NONE'),
  },
  {
    apnUserName: field(login, 'User name at the access point.'),
    apnPassword: field(secret, 'Password at the access point.'),
    simPin: field({ type: 'integer', minimum: 0, maximum: MAX_INTEGER }, 'PIN of the SIM.'),
    preferredNetwork: field(text(6), 'Country and network code of the preferred network.'),
    useOnlyPreferredNetwork: field(boolean, 'Whether to use no other network. Default false.'),
  },
);

const vpnSchema = recordSchema(
  'NetworkProfileVpn',
  'A VPN.',
  {
    server: field(address, 'Address of the VPN server.'),
    user: field(login, 'User name.'),
    password: field(secret, 'Password.'),
    key: field(text(255), 'Shared secret of the VPN.'),
    type: field({ type: 'string', enum: VPN_TYPES }, 'Type of the VPN.', 'IKEv2'),
  },
  { group: field(login, 'Group.') },
);

export const networkSlotSchema = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_INTEGER,
  description: 'Slot of the profile in the charger; `NetworkConfigurationPriority` names those that it uses.',
  examples: [1],
} as const;

export const networkProfileSchema = {
  ...recordSchema(
    'NetworkProfileInput',
    'How the charger connects.',
    {
      ocppCsmsUrl: field(address, 'Websocket address of the service, without the id of the charger.'),
      messageTimeout: field(
        { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
        'Seconds after which the charger gives a message up.',
        30,
      ),
      securityProfile: field({ type: 'integer', enum: [1, 2, 3] }, 'Security profile of the connection.', 2),
      ocppInterface: field({ type: 'string', enum: NETWORK_INTERFACES }, 'Interface; `Any` is of OCPP 2.1.', 'Wired0'),
    },
    {
      identity: field(text(48), 'Identity with which the charger connects. OCPP 2.1.'),
      basicAuthPassword: field(
        secret,
        'Password with which the charger connects. This service does not store it. OCPP 2.1.',
      ),
      apn: apnSchema,
      vpn: vpnSchema,
    },
  ),
  examples: [
    { ocppCsmsUrl: 'wss://ocpp.example/ocpp', messageTimeout: 30, securityProfile: 2, ocppInterface: 'Wired0' },
  ],
} as const;
