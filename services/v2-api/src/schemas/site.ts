import { GROUP_TYPES, INPUT_LIMITS } from '@busbar/domain';
import {
  instantSchema,
  latitudeSchema,
  longitudeSchema,
  nameSchema,
  nullableTextSchema,
  recordSchema,
  textSchema,
} from './values';

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

export const siteInputSchema = {
  title: 'SiteInput',
  type: 'object',
  properties: fields,
  required: ['name'],
  additionalProperties: false,
} as const;

export const siteSchema = recordSchema('Site', {
  id: { type: 'integer' },
  ...fields,
  parentName: { type: ['string', 'null'] },
  sitePath: { type: 'string', description: 'The names from the root site to this one, joined by " / ".' },
  numberOfChargers: { type: 'integer' },
  numberOfSubsites: { type: 'integer' },
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
