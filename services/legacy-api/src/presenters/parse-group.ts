import type { SiteChange } from '@busbar/domain/sites';
import type { FromSchema } from 'json-schema-to-ts';
import type { groupChangeSchema } from '../schemas/group';

/** Translates a group of this API into the domain's site. Unknown fields are ignored. */
export function parseGroup({ name, parentGroupId, groupType, externalId }: FromSchema<typeof groupChangeSchema>) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(parentGroupId === undefined ? {} : { parentSiteId: parentGroupId }),
    ...(groupType === undefined ? {} : { groupType }),
    // An empty text means none in this API.
    ...(externalId === undefined ? {} : { externalId: externalId === '' ? null : externalId }),
  } satisfies SiteChange;
}
