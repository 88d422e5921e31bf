// Common parts of this API's schemas. Those of both APIs are in libs/api.
import { field } from '@busbar/http';
import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema, integer, paramsSchema, siteIdSchema, string, timestampSchema } from '@busbar/api';

export { boolean, count, integer, number, paramsSchema, recordSchema, string, timestampSchema } from '@busbar/api';

export const nullableTextSchema = { type: ['string', 'null'], maxLength: INPUT_LIMITS.text } as const;

export const nullableTimestampSchema = { ...timestampSchema, type: ['string', 'null'] } as const;

/** Types of fields in responses, which have no limits. */
export const nullableString = { type: ['string', 'null'] } as const;
export const nullableInteger = { type: ['integer', 'null'] } as const;
export const nullableNumber = { type: ['number', 'null'] } as const;

/** Fields of many responses. */
export const common = {
  chargerId: field(string, 'Id of the charger.', 'ACME_1'),
  siteId: field(integer, 'Id of the site.', 1),
  socketId: field(
    integer,
    'Number of the socket (OCPP connector), from 1. 0: a session of OCPP 2.x that has none yet.',
    1,
  ),
  rfidTag: field(string, 'RFID tag, as the charger sent it.', '04E91C5A123B80'),
  transactionId: field(integer, 'The id that the service gave to the OCPP transaction.', 1),
  createdAt: field(timestampSchema, 'When it was created.'),
} as const;

/** For lists in a query whose texts may contain commas. */
export const OWN_COMMAS =
  'Repeat it, or separate values by commas. Within a value write a comma as `\\,` and a backslash as `\\\\`.';

export const siteParamsSchema = paramsSchema({ siteId: siteIdSchema });
export const chargerParamsSchema = paramsSchema({ chargerId: chargerIdSchema });

export const latitudeSchema = {
  type: ['number', 'null'],
  minimum: -90,
  maximum: 90,
  description: 'Latitude in degrees (WGS 84). Null: unknown.',
  examples: [59.9075],
} as const;

export const longitudeSchema = {
  type: ['number', 'null'],
  minimum: -180,
  maximum: 180,
  description: 'Longitude in degrees (WGS 84). Null: unknown.',
  examples: [10.7235],
} as const;
