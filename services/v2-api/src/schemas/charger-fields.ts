// The fields that the input and the record of a charger share.
import { INPUT_LIMITS, PROPERTY_NAME_PATTERN } from '@busbar/domain';
import { nameSchema, PUSH_FIELDS, STORED_ONLY, TEXT_OF_LOCATION, textSchema } from '@busbar/api';
import { ADMISSIONS } from '@busbar/domain/chargers';
import { field } from '@busbar/http';
import { boolean, latitudeSchema, longitudeSchema, nullableTextSchema } from './values';

export const textsSchema = { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items } as const;

export const locationFields = {
  latitude: latitudeSchema,
  longitude: longitudeSchema,
  streetAddress: field(nullableTextSchema, `${TEXT_OF_LOCATION.streetAddress} Null: unknown.`, 'Quayside'),
  streetNumber: field(nullableTextSchema, `${TEXT_OF_LOCATION.streetNumber} Null: unknown.`, '1'),
  houseLetter: field(nullableTextSchema, `${TEXT_OF_LOCATION.houseLetter} Null: none.`, null),
  postalNumber: field(nullableTextSchema, `${TEXT_OF_LOCATION.postalNumber} Null: unknown.`, '0150'),
  city: field(nullableTextSchema, `${TEXT_OF_LOCATION.city} Null: unknown.`, 'Oslo'),
  area: field(nullableTextSchema, `${TEXT_OF_LOCATION.area} Null: unknown.`, null),
  country: field(nullableTextSchema, `${TEXT_OF_LOCATION.country} Null: unknown.`, 'NO'),
} as const;

export const CUSTOM_PROPERTIES = 'Your own fields: texts, numbers, booleans or null, by name.';
const PHYSICAL_REFERENCE = 'What is written on the charger or its place. Null: none.';

export const customPropertiesSchema = {
  type: 'object',
  description: CUSTOM_PROPERTIES,
  maxProperties: INPUT_LIMITS.items,
  propertyNames: { pattern: PROPERTY_NAME_PATTERN },
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: INPUT_LIMITS.customValue },
  examples: [{ contract: 'A-112' }],
} as const;

export const ADMISSION =
  'What a BootNotification of OCPP 2.x is answered: Accepted, Pending or Rejected. From `pending` to `accept` the charger is asked to boot again. OCPP 1.6: always accepted.';

const CHARGING_NEEDS =
  'What a NotifyEVChargingNeeds of OCPP 2.x is answered where no charging profile is set for it: `processing`, since you then set a TxProfile. Null: Rejected, in OCPP 2.1 NoChargingProfile.';

/** The owner's fields, which the record repeats. */
export const ownFields = {
  name: field(nameSchema, 'Name of the charger.', 'Quay'),
  pushIntegrationEnabled: field(boolean, PUSH_FIELDS.pushIntegrationEnabled, false),
  chargerSpecificMessageStructure: field(boolean, STORED_ONLY.chargerSpecificMessageStructure, false),
  evseId: field(nullableTextSchema, `${STORED_ONLY.evseId} Null: none.`, 'NO*ACM*E1'),
  splitEvseBySocket: field(boolean, STORED_ONLY.splitEvseBySocket, false),
  capabilities: field(textsSchema, STORED_ONLY.capabilities, ['RESERVABLE']),
  physicalReference: field(nullableTextSchema, PHYSICAL_REFERENCE, 'P1'),
  integrationRelays: field(textsSchema, PUSH_FIELDS.integrationRelays, []),
  customProperties: customPropertiesSchema,
  admission: field({ type: 'string', enum: ADMISSIONS }, ADMISSION, 'accept'),
  chargingNeeds: field({ type: ['string', 'null'], enum: ['processing', null] }, CHARGING_NEEDS, null),
} as const;

/** The switches of `compatibility`. */
export const COMPATIBILITY = {
  assumeOcpp16: 'Assumes OCPP 1.6 for a connection that offers no subprotocol.',
  acceptHexKey: 'Accepts the hexadecimal digits of the key as the password.',
  zonelessIsUtc: 'Reads timestamps without a zone as UTC.',
  vendorFields: 'Accepts and stores unknown fields and enum values.',
  nullFields: 'Treats null in an optional field as absent.',
  overlongTexts: 'Accepts texts up to four times their limit, except identifiers.',
  numberTexts: 'Converts numbers and texts where the conversion is exact.',
  fractionalMeters: 'Rounds meter readings with a fraction of a watt-hour down.',
  noCallResultError: 'Sends it no CALLRESULTERROR (OCPP 2.1): stacks exist that fail on one.',
} as const;

/** The other field of `compatibility`. */
export const ALLOWED_VERSIONS = 'The versions of OCPP that it may speak. Empty: all that the gateway offers.';
