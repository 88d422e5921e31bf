import { INPUT_LIMITS } from '@busbar/domain';
import { nameSchema, siteIdSchema, textSchema } from '@busbar/api';
import { GROUP_TYPES, SITE_SORT_KEYS } from '@busbar/domain/sites';
import { cursorQuerySchema } from '@busbar/http';
import { timestampSchema, latitudeSchema, longitudeSchema, nullableTextSchema, recordSchema } from './values';

const fields = {
  name: nameSchema,
  publicName: nullableTextSchema,
  externalId: nullableTextSchema,
  parentSiteId: { type: ['integer', 'null'], minimum: 1 },
  groupType: { type: 'string', enum: GROUP_TYPES },
  streetAddress: nullableTextSchema,
  city: nullableTextSchema,
  postalCode: nullableTextSchema,
  country: nullableTextSchema,
  latitude: latitudeSchema,
  longitude: longitudeSchema,
  timezone: nullableTextSchema,
  isPublicSite: { type: 'boolean' },
  parkingType: nullableTextSchema,
  tags: { type: 'array', items: textSchema, maxItems: INPUT_LIMITS.items },
  notes: { type: ['string', 'null'], maxLength: INPUT_LIMITS.notes },
} as const;

/** Null is the same as absent. */
const inputFields = {
  ...fields,
  parentSiteId: { ...siteIdSchema, type: ['integer', 'null'], description: 'Null: a root site.' },
  groupType: { type: ['string', 'null'], enum: [...GROUP_TYPES, null] },
  isPublicSite: { type: ['boolean', 'null'] },
  timezone: {
    ...nullableTextSchema,
    format: 'iana-time-zone',
    description: 'The name of an IANA time zone, such as Europe/Oslo.',
  },
  tags: { type: ['array', 'null'], items: textSchema, maxItems: INPUT_LIMITS.items },
} as const;

export const siteInputSchema = {
  title: 'SiteInput',
  description: 'Null is the same as absent.',
  type: 'object',
  properties: inputFields,
  required: ['name'],
  additionalProperties: false,
} as const;

/** Absent fields keep their value, null clears. */
export const sitePatchSchema = {
  title: 'SitePatch',
  description: 'Absent fields keep their value. Null clears a field.',
  type: 'object',
  properties: inputFields,
  additionalProperties: false,
} as const;

const pageQuery = cursorQuerySchema(SITE_SORT_KEYS);

export const siteQuerySchema = {
  ...pageQuery,
  properties: {
    ...pageQuery.properties,
    country: { ...textSchema, minLength: 1 },
    city: { ...textSchema, minLength: 1 },
    parentSiteId: { ...siteIdSchema, description: 'Sites directly below this one.' },
    showOnlyRootSites: { type: 'boolean', description: 'Only sites without a parent.' },
  },
} as const;

export const siteSchema = recordSchema('Site', {
  id: { type: 'integer' },
  ...fields,
  parentName: { type: ['string', 'null'] },
  sitePath: { type: 'string', description: 'The names from the root site to this one, joined by " / ".' },
  numberOfChargers: { type: 'integer', description: 'Chargers of this site, without those of sites below.' },
  numberOfSubsites: { type: 'integer', description: 'Sites directly below this one.' },
  createdAt: timestampSchema,
  updatedAt: {
    ...timestampSchema,
    description:
      'The last change of the fields that a client can set. Changes of `parentName`, `sitePath` and the numbers do not count.',
  },
});
