// Which events of its client's feed a webhook wants.
import { EVENT_TYPES } from '@busbar/contracts';
import { eventTypesFor, matchesFeedFilter, type FeedEvent } from '@busbar/domain/feed';
import type { SiteReader } from '@busbar/domain/sites';
import { withSubsites } from '@busbar/domain/sites';
import { pushEventTypes, type Webhook } from '@busbar/domain/webhooks';

/** What its owner may read was checked when the webhook was created or changed. */
const PERMISSIONS = [...new Set(Object.values(EVENT_TYPES).map(({ needs }) => needs))];

/** Reads the sites below the named ones where it wants them too. */
export async function wantedEvents(
  sites: Pick<SiteReader, 'childIds'>,
  { clientId, format, types, chargerIds, siteIds, includeSubsites }: Webhook,
): Promise<(event: FeedEvent) => boolean> {
  const named = siteIds === null || !includeSubsites ? siteIds : await withSubsites(sites, clientId, siteIds);
  const filter = {
    // The types of push formats are kinds of messages.
    types: format === 'standard' ? eventTypesFor(types, PERMISSIONS) : pushEventTypes(types),
    chargerIds: chargerIds === null ? undefined : new Set(chargerIds),
    siteIds: named === null ? undefined : new Set(named),
  };
  return (event) => matchesFeedFilter(filter, event);
}
