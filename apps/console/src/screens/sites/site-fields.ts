// What the owner sets of a site. Pure.
import type { RecordField } from '../../records/record-fields';
import { sitesTexts as words } from '../../texts/sites';

const group = words.address;

export const NEW_SITE_FIELDS: readonly RecordField[] = [
  { name: 'name', label: words.name, kind: 'text', required: true, maxLength: 200 },
  { name: 'publicName', label: words.publicName, kind: 'text', hint: words.publicNameHint },
  { name: 'externalId', label: words.externalId, kind: 'text', hint: words.externalIdHint },
  { name: 'isPublicSite', label: words.isPublicSite, kind: 'check' },
  { name: 'parkingType', label: words.parkingType, kind: 'text' },
  { name: 'timezone', label: words.timezone, kind: 'text', hint: words.timezoneHint },
  { name: 'tags', label: words.tags, kind: 'names', hint: words.tagsHint, maxLength: 5_000 },
  { name: 'notes', label: words.notes, kind: 'area' },
  { name: 'streetAddress', label: words.streetAddress, kind: 'text', group },
  { name: 'postalCode', label: words.postalCode, kind: 'text', group },
  { name: 'city', label: words.city, kind: 'text', group },
  { name: 'country', label: words.country, kind: 'text', group },
  { name: 'latitude', label: words.latitude, kind: 'number', group },
  { name: 'longitude', label: words.longitude, kind: 'number', group },
];

/** Of a site that exists: it has a kind. */
export const SITE_FIELDS: readonly RecordField[] = [
  ...NEW_SITE_FIELDS.slice(0, 1),
  { name: 'groupType', label: words.groupType, kind: 'choice', options: Object.entries(words.groupTypes) },
  ...NEW_SITE_FIELDS.slice(1),
];

/** A site stands below another one, or at the top. */
export function parentField(siteId: number): RecordField {
  const options = [['', words.noParent]] as const;
  return { name: 'parentSiteId', label: words.parent, kind: 'site', options, except: [String(siteId)] };
}
