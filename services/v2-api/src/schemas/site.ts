import { INPUT_LIMITS } from '@busbar/domain';
import { nameSchema, siteIdSchema, textSchema } from '@busbar/api';
import { GROUP_TYPES, SITE_SORT_KEYS } from '@busbar/domain/sites';
import { field, cursorQuerySchema, withProperties } from '@busbar/http';
import {
  boolean,
  common,
  count,
  integer,
  latitudeSchema,
  longitudeSchema,
  nullableString,
  nullableTextSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const GROUP_TYPE = 'What the site is in your structure of sites. It has no effect.';
const IS_PUBLIC = 'Whether the public may charge there. Stored and returned only.';
const TIME_ZONE = 'Time zone of the site, by its IANA name. Null: unknown.';
const TAGS = 'Words to find and group sites by. Stored and returned only.';

const fields = {
  name: field(nameSchema, 'Name of the site.', 'Harbour'),
  publicName: field(nullableTextSchema, 'Name for drivers. Null: none.', 'Harbour car park'),
  externalId: field(nullableTextSchema, 'Id of the site in your own system. Null: none.', 'H-17'),
  parentSiteId: field(
    { type: ['integer', 'null'], minimum: 1 },
    'Id of the site that this one is directly below. Null: a root site.',
    null,
  ),
  groupType: field({ type: 'string', enum: GROUP_TYPES }, GROUP_TYPE, 'SITE'),
  streetAddress: field(nullableTextSchema, 'Street and number. Null: unknown.', 'Quayside 1'),
  city: field(nullableTextSchema, 'City. Null: unknown.', 'Oslo'),
  postalCode: field(nullableTextSchema, 'Postal code. Null: unknown.', '0150'),
  country: field(nullableTextSchema, 'Country, such as its ISO 3166-1 code. Null: unknown.', 'NO'),
  latitude: latitudeSchema,
  longitude: longitudeSchema,
  timezone: field(nullableTextSchema, TIME_ZONE, 'Europe/Oslo'),
  isPublicSite: field(boolean, IS_PUBLIC, true),
  parkingType: field(nullableTextSchema, 'Kind of parking. Null: unknown.', 'PARKING_LOT'),
  tags: field({ type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items }, TAGS, ['coast']),
  notes: field({ type: ['string', 'null'], maxLength: INPUT_LIMITS.notes }, 'Your own notes. Null: none.', null),
} as const;

const inputFields = {
  ...fields,
  parentSiteId: field(
    { ...siteIdSchema, type: ['integer', 'null'] },
    'Id of the site that this one is directly below. Null: a root site.',
  ),
  groupType: field({ type: ['string', 'null'], enum: [...GROUP_TYPES, null] }, `${GROUP_TYPE} Null: SITE.`, 'SITE'),
  isPublicSite: field({ type: ['boolean', 'null'] }, `${IS_PUBLIC} Null: false.`, true),
  timezone: field({ ...nullableTextSchema, format: 'iana-time-zone' }, TIME_ZONE, 'Europe/Oslo'),
  tags: field({ type: ['array', 'null'], items: textSchema, maxItems: INPUT_LIMITS.items }, `${TAGS} Null: none.`, [
    'coast',
  ]),
} as const;

export const siteInputSchema = {
  title: 'SiteInput',
  description: 'A site to create. Null is the same as absent.',
  type: 'object',
  properties: inputFields,
  required: ['name'],
  additionalProperties: false,
  examples: [{ name: 'Harbour', externalId: 'H-17', streetAddress: 'Quayside 1', city: 'Oslo', country: 'NO' }],
} as const;

/** Absent fields keep their value, null clears. */
export const sitePatchSchema = {
  title: 'SitePatch',
  description: 'Changes of a site. Absent fields keep their value. Null clears a field.',
  type: 'object',
  properties: inputFields,
  additionalProperties: false,
  examples: [{ publicName: 'Harbour car park', timezone: 'Europe/Oslo' }],
} as const;

export const siteQuerySchema = withProperties(
  cursorQuerySchema(
    SITE_SORT_KEYS,
    'by id',
    'a part of the name, the public name, the city or the external id. It ignores the case of A to Z only',
  ),
  {
    country: field({ ...textSchema, minLength: 1 }, 'Sites with exactly this country.'),
    city: field({ ...textSchema, minLength: 1 }, 'Sites with exactly this city.'),
    parentSiteId: field(siteIdSchema, 'Sites directly below this one.'),
    showOnlyRootSites: field(boolean, 'Only sites without a parent. Default false.'),
  },
);

export const siteSchema = recordSchema('Site', 'The site.', {
  id: field(integer, 'The id that the service gave to the site.', 1),
  ...fields,
  parentName: field(nullableString, 'Name of the parent site. Null: a root site.', null),
  sitePath: field(string, 'The names from the root site to this one, joined by " / ".', 'Harbour'),
  numberOfChargers: field(count, 'Chargers of this site, without those of sites below.', 1),
  numberOfSubsites: field(count, 'Sites directly below this one.', 0),
  createdAt: common.createdAt,
  updatedAt: field(
    timestampSchema,
    'The last change of the fields that a client can set. Changes of `parentName`, `sitePath` and the numbers do not count.',
  ),
});
