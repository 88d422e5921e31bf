import type { SiteChange } from '@busbar/domain/sites';
import type { FromSchema } from 'json-schema-to-ts';
import type { groupChangeSchema } from '../schemas/group';

/** This API's words for a site in the domain's. Fields that are unknown here are left behind. */
export function parseGroup({ name, parentGroupId, groupType, externalId }: FromSchema<typeof groupChangeSchema>) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(parentGroupId === undefined ? {} : { parentSiteId: parentGroupId }),
    ...(groupType === undefined ? {} : { groupType }),
    // The empty text is this API's word for none.
    ...(externalId === undefined ? {} : { externalId: externalId === '' ? null : externalId }),
  } satisfies SiteChange;
}
